/* The library does its work without this script; these are views on what it does. */
\echo Use "CREATE EXTENSION relcache_checks" to load this file. \quit

CREATE FUNCTION relcache_checks_stats(
    OUT blocks bigint, OUT bytes bigint, OUT byte_limit bigint, OUT hits bigint, OUT builds bigint,
    OUT stale bigint, OUT evictions bigint, OUT states_built bigint, OUT states_reused bigint,
    OUT rows_routed_early bigint)
RETURNS record LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relcache_checks_stats() IS 'counters of this session';

CREATE FUNCTION relcache_checks_blocks(
    OUT relid oid, OUT trigid oid, OUT number integer, OUT expression text, OUT served text, OUT reason text,
    OUT block_bytes bigint, OUT hits bigint, OUT users integer, OUT states integer, OUT states_idle integer)
RETURNS SETOF record LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relcache_checks_blocks() IS 'the expressions in this session''s cache';

CREATE FUNCTION relcache_checks_judge(
    expression pg_node_tree, is_when boolean, OUT served text, OUT reason text)
RETURNS record LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relcache_checks_judge(pg_node_tree, boolean)
    IS 'how far an expression of the catalog can be served, and why no further';

CREATE FUNCTION relcache_checks_reset()
RETURNS void LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION relcache_checks_reset() IS 'empties this session''s cache and its counters';

CREATE VIEW relcache_checks_stats AS SELECT * FROM relcache_checks_stats();
COMMENT ON VIEW relcache_checks_stats IS 'counters of this session';

/* Constraints are numbered in the order the server checks them, which is by name. */
CREATE VIEW relcache_checks_cache AS
SELECT b.relid::regclass AS relation,
       CASE WHEN b.trigid IS NULL THEN 'check' ELSE 'when' END AS kind,
       coalesce(c.conname, t.tgname) AS name,
       b.served, b.reason, b.hits, b.users, b.states, b.states_idle, b.block_bytes
FROM relcache_checks_blocks() b
LEFT JOIN LATERAL (
    SELECT conname, conbin, row_number() OVER (ORDER BY conname) AS number
    FROM pg_catalog.pg_constraint WHERE conrelid = b.relid AND contype = 'c' AND b.trigid IS NULL
) c ON c.number = b.number AND c.conbin::text = b.expression
LEFT JOIN pg_catalog.pg_trigger t ON t.oid = b.trigid AND t.tgqual::text = b.expression;
COMMENT ON VIEW relcache_checks_cache
    IS 'what this session''s cache holds; a name is missing where the table has changed since';

CREATE VIEW relcache_checks_served AS
SELECT e.relid::regclass AS relation, e.kind, e.name,
       coalesce(j.served, 'not served') AS served, coalesce(e.reason, j.reason) AS reason
FROM (
    SELECT r.oid AS relid, 'check' AS kind, c.conname AS name,
           CASE WHEN r.relkind = 'r' THEN c.conbin END AS tree, false AS is_when,
           CASE WHEN r.relkind = 'f' THEN 'is checked by a foreign server' END AS reason
    FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
    WHERE c.contype = 'c' AND r.relkind IN ('r', 'f')
    UNION ALL
    SELECT r.oid, 'when', t.tgname, t.tgqual, true, NULL
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class r ON r.oid = t.tgrelid
    WHERE t.tgqual IS NOT NULL
    UNION ALL
    SELECT r.oid, 'generated', a.attname, NULL, false, 'the server compiles it before any extension is asked'
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class r ON r.oid = a.attrelid
    WHERE a.attgenerated = 's' AND r.relkind = 'r'
) e
LEFT JOIN LATERAL relcache_checks_judge(e.tree, e.is_when) j ON e.tree IS NOT NULL;
COMMENT ON VIEW relcache_checks_served
    IS 'how far each constraint, trigger condition and generated column of the database is served, and why';

GRANT SELECT ON relcache_checks_stats, relcache_checks_cache, relcache_checks_served TO PUBLIC;
