# Sourced after server.sh: the extension's functions and the test module's in the current database. The extension itself
# is put into the private tree, so CREATE EXTENSION works as it does after an installation.
create_functions() {
  psql -q -v ON_ERROR_STOP=1 <<'SQL' || fail "the functions cannot be made"
create extension relcache_checks;
create function relcache_checks_test_discarded() returns bigint language c as 'relcache_checks_test';
create function relcache_checks_test_failed_mallocs() returns bigint language c as 'relcache_checks_test';
create function relcache_checks_test_hoard() returns void language c as 'relcache_checks_test';
create function relcache_checks_test_entry_bytes() returns bigint language c as 'relcache_checks_test';
SQL
}
