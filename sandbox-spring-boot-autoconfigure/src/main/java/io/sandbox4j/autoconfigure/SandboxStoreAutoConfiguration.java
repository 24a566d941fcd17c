package io.sandbox4j.autoconfigure;

import javax.sql.DataSource;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.run.RunStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration for the {@link RunStore store} of durable runs.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties(SandboxStoreProperties.class)
public final class SandboxStoreAutoConfiguration {

	private static final String MODULE_CLASS = "io.sandbox4j.store.jdbc.JdbcRunStore";

	SandboxStoreAutoConfiguration() {
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	RunStore sandboxRunStore(SandboxStoreProperties store, SandboxProperties properties, SandboxBackend backend,
			ObjectProvider<DataSource> dataSource, ResourceLoader resourceLoader) {
		if (store.type() == SandboxStoreProperties.Type.MEMORY) {
			return RunStore.inMemory();
		}
		if (!ClassUtils.isPresent(MODULE_CLASS, resourceLoader.getClassLoader())) {
			throw new InvalidSandboxPropertyException("sandbox.store.type",
					"The module 'sandbox-store-jdbc' is needed. Add it to the application.");
		}
		return (store.type() == SandboxStoreProperties.Type.SQLITE)
				? PropertiesRunStores.sqlite(store, backend, properties)
				: PropertiesRunStores.jdbc(store, dataSource.getIfUnique());
	}

}
