/**
 * Durable runs in a database: SQLite in a file of the application's own, or PostgreSQL
 * that several applications share. Knows the contract of durable runs alone.
 */
@NullMarked
package io.sandbox4j.store.jdbc;

import org.jspecify.annotations.NullMarked;
