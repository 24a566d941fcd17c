package io.sandbox4j.bubblewrap;

/**
 * What makes the {@code fetch} of Node use the relay. Node before 22.21 heeds no proxy
 * variable; later ones ask the proxy for a tunnel even where there is no TLS to hide, and
 * the gateway makes none. So a script that Node loads first sends what would be tunnelled
 * as an ordinary request to the proxy, also for {@code https} URLs, since the gateway
 * speaks TLS to the origin. It does nothing before the first call of {@code fetch}.
 */
final class NodeFetch {

	/**
	 * The script's path below the guest's {@code /etc}.
	 */
	static final String FILE = "sandbox/fetch.cjs";

	/**
	 * What {@code NODE_OPTIONS} says.
	 */
	static final String OPTIONS = "--require=/etc/" + FILE;

	/**
	 * In a syntax that old versions of Node read too, for they load it as well.
	 */
	static final String SCRIPT = """
			'use strict';
			(function () {
			  var original = globalThis.fetch;
			  var proxy = process.env.http_proxy;
			  var installed;
			  if (!original || !proxy) {
			    return;
			  }
			  function install() {
			    // The first call makes the dispatchers that all of them use.
			    return original('data:,').then(function () {
			      lead(Symbol.for('undici.globalDispatcher.1'));
			      lead(Symbol.for('undici.globalDispatcher.2'));
			    });
			  }
			  function lead(key) {
			    var inner = globalThis[key];
			    if (!inner) {
			      return;
			    }
			    globalThis[key] = new Proxy(inner, {
			      get: function (target, name) {
			        var value = name === 'dispatch' ? dispatch : target[name];
			        return typeof value === 'function' ? value.bind(target) : value;
			      }
			    });
			    function dispatch(options, handler) {
			      var url = new URL(options.origin);
			      if (/^(localhost|127\\.[0-9.]+|\\[::1\\])$/.test(url.hostname)) {
			        return inner.dispatch(options, handler);
			      }
			      var headers = options.headers;
			      return inner.dispatch(Object.assign({}, options, {
			        origin: proxy,
			        path: url.origin + options.path,
			        headers: Array.isArray(headers) ? headers.concat(['host', url.host])
			          : Object.assign({}, headers, { host: url.host })
			      }), handler);
			    }
			  }
			  globalThis.fetch = function fetch(input, init) {
			    installed = installed || install();
			    return installed.then(function () { return original(input, init); });
			  };
			})();
			""";

	private NodeFetch() {
	}

}
