/*
 * What differs between PostgreSQL's major versions. Nothing else in this extension tests
 * PG_VERSION_NUM.
 *
 * Only what was built and tested is let through. To add a version: lift the limit below, build, run
 * the whole test suite against that server, and express every difference here.
 *
 * Known to differ (from reading sources, not from running them):
 *
 *  - 18 renames ri_ConstraintExprs to ri_CheckConstraintExprs, leaves the entry of a constraint
 *    that is not enforced NULL, and inlines virtual generated columns into a check, so that its
 *    text alone no longer tells its meaning.
 *  - 14 has no MERGE and no FirstUnpinnedObjectId; 13 and older keep result relations in an array
 *    of structs.
 *  - What classify.c says of immutable functions in C holds for 15: another version's have to be
 *    looked through.
 */
#ifndef RELCACHE_CHECKS_VERSION_H
#define RELCACHE_CHECKS_VERSION_H

#include "pg_config.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 160000
#error \
    "relcache_checks is built and tested with PostgreSQL 15; see src/version.h for what another version needs"
#endif

/* The array of compiled CHECK constraints of a ResultRelInfo, made by the executor when the first
 * row reaches it. */
#define RC_CONSTRAINT_EXPRS(rri) ((rri)->ri_ConstraintExprs)

/* The plan below a ModifyTable node. */
#define RC_MODIFY_TABLE_SOURCE(mtstate) outerPlanState(mtstate)

#endif
