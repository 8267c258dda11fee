/*
 * How much of an expression may be kept without changing what any statement does.
 *
 * The parsed tree may always be kept: it is a copy of the text. The planned tree and the compiled
 * form are kept only where all that planning and compiling look at is fixed, or watched. The rules
 * are lists of what is allowed; what is not on them is served from the parsed tree.
 *
 * Functions: the server's own, in C, without an access list, settings or owner's rights of their
 * own. Then no privilege can be refused, nothing is inlined, and a change of the function's catalog
 * row is seen by its invalidation (RcWatchFunction). SQL functions are never kept, not even the
 * server's: their bodies are planned with the privileges and the search_path of the moment.
 *
 * What planning computes: a call whose arguments are constant is computed when the expression is
 * planned. Some functions that claim to be immutable read settings (float8out reads
 * extra_float_digits, byteaout bytea_output, interval_out IntervalStyle, quote_ident
 * quote_all_identifiers), dictionaries or time zone abbreviations. So a call that planning made
 * disappear has to be one of plain types only, see foldable_types.
 *
 * Types: the server's own. A column of a user's type may be tested for NULL or, being a domain, be
 * read as its base type: neither looks at the type.
 *
 * Node types: see ParsedWalker for planned trees and StateWalker for compiled forms. Not pooled is
 * what keeps pointers into the memory of one statement (hashed ANY, rows, composites) and what is
 * too rare to be worth a proof.
 */
#include "relcache_checks.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/*
 * A function that has only these as arguments and result depends on nothing else, but for those
 * below. (True of all immutable functions in C of PostgreSQL 15; another version's have to be
 * looked through before it is let in.)
 */
static const Oid foldable_types[] = {BOOLOID,     CHAROID,    NAMEOID, INT8OID,   INT2OID,
                                     INT4OID,     TEXTOID,    OIDOID,  FLOAT4OID, FLOAT8OID,
                                     BPCHAROID,   VARCHAROID, DATEOID, TIMEOID,   TIMESTAMPOID,
                                     INTERVALOID, NUMERICOID, UUIDOID};

static const Oid not_foldable[] = {
    F_QUOTE_IDENT,            /* quote_all_identifiers */
    F_TIMEZONE_TEXT_TIMESTAMP /* timezone_abbreviations; by its result not foldable anyway */
};

/* Input and output functions, whose other side is a C string, that depend on nothing either. */
static const Oid foldable_io[] = {F_BOOLIN,      F_BOOLOUT,    F_CHARIN,   F_CHAROUT,  F_NAMEIN,
                                  F_NAMEOUT,     F_INT2IN,     F_INT2OUT,  F_INT4IN,   F_INT4OUT,
                                  F_INT8IN,      F_INT8OUT,    F_OIDIN,    F_OIDOUT,   F_NUMERIC_IN,
                                  F_NUMERIC_OUT, F_UUID_IN,    F_UUID_OUT, F_TEXTIN,   F_TEXTOUT,
                                  F_VARCHARIN,   F_VARCHAROUT, F_BPCHARIN, F_BPCHAROUT};

typedef struct CallScan {
  RcVerdict* verdict;
  List* functions; /* oids of all functions called, one for each call */
} CallScan;

static bool IsOneOf(Oid oid, const Oid* list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i] == oid) return true;
  return false;
}

/* Returns true, so that a walker stops. */
static bool Refuse(RcVerdict* verdict, RcServed served, RcReason reason, Oid object) {
  verdict->served = served;
  verdict->reason = reason;
  verdict->object = object;
  return true;
}

static bool IsBuiltInType(Oid type) {
  return type < FirstUnpinnedObjectId;
}

/* Callback of check_functions_in_node: true if the function forbids to keep a plan. */
static bool FunctionForbidsPlan(Oid funcid, void* context) {
  CallScan* scan = context;
  HeapTuple tuple;
  Form_pg_proc proc;
  bool no_acl;
  bool no_settings;
  bool own;

  scan->functions = lappend_oid(scan->functions, funcid);
  if (funcid >= FirstUnpinnedObjectId)
    return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_FUNCTION, funcid);
  RcWatchFunction(funcid);
  tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
  if (!HeapTupleIsValid(tuple))
    return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_FUNCTION, funcid);
  proc = (Form_pg_proc)GETSTRUCT(tuple);
  (void)SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proacl, &no_acl);
  (void)SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proconfig, &no_settings);
  own = proc->prolang == INTERNALlanguageId && no_settings && !proc->prosecdef && !proc->proretset;
  ReleaseSysCache(tuple);
  if (!own) return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_FUNCTION, funcid);
  if (!no_acl) return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_PRIVILEGE, funcid);
  return false;
}

/* Is this a column, read without looking at its type? */
static bool IsBareColumn(Node* node) {
  return node != NULL && IsA(node, Var) && castNode(Var, node)->varlevelsup == 0;
}

/* True, with the reason in the verdict, if the plan of the expression must not be kept. */
static bool ParsedWalker(Node* node, void* context) {
  CallScan* scan = context;

  if (node == NULL) return false;
  switch (nodeTag(node)) {
    case T_List: /* arguments; the conditions of a WHEN */
      return expression_tree_walker(node, ParsedWalker, context);
    case T_RelabelType:
      if (IsBareColumn((Node*)castNode(RelabelType, node)->arg) &&
          IsBuiltInType(castNode(RelabelType, node)->resulttype))
        return false;
      break;
    case T_NullTest:
      if (!castNode(NullTest, node)->argisrow && IsBareColumn((Node*)castNode(NullTest, node)->arg))
        return false;
      break;
    case T_Var:
      if (castNode(Var, node)->varlevelsup != 0)
        return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_NODE, nodeTag(node));
      break;
    case T_Const:
    case T_FuncExpr:
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr:
    case T_ScalarArrayOpExpr:
    case T_BoolExpr:
    case T_CoerceViaIO:
    case T_ArrayCoerceExpr:
    case T_CollateExpr:
    case T_CaseExpr:
    case T_CaseTestExpr:
    case T_ArrayExpr:
    case T_RowExpr:
    case T_RowCompareExpr:
    case T_CoalesceExpr:
    case T_MinMaxExpr:
    case T_SQLValueFunction:
    case T_BooleanTest:
    case T_SubscriptingRef:
      break;
    default:
      return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_NODE, nodeTag(node));
  }
  if (check_functions_in_node(node, FunctionForbidsPlan, scan)) return true;
  if (IsA(node, MinMaxExpr)) {
    /* GREATEST compares with the type's default operator class, which may be a user's. */
    Oid type = castNode(MinMaxExpr, node)->minmaxtype;
    Oid compare = lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc;

    if (FunctionForbidsPlan(compare, scan)) return true;
  }
  if (!IsBuiltInType(exprType(node)))
    return Refuse(scan->verdict, RC_SERVED_PARSED, RC_REASON_TYPE, exprType(node));
  return expression_tree_walker(node, ParsedWalker, context);
}

/* True if the compiled form keeps anything of the statement that it was compiled in. */
static bool StateWalker(Node* node, void* context) {
  RcVerdict* verdict = context;

  if (node == NULL) return false;
  switch (nodeTag(node)) {
    case T_List:
    case T_Const:
    case T_FuncExpr:
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr:
    case T_BoolExpr:
    case T_RelabelType:
    case T_CoerceViaIO:
    case T_CollateExpr:
    case T_CaseExpr:
    case T_CaseTestExpr:
    case T_CoalesceExpr:
    case T_MinMaxExpr:
    case T_SQLValueFunction:
    case T_BooleanTest:
      break;
    case T_Var: /* a whole row keeps its row type's description */
      if (castNode(Var, node)->varattno == 0)
        return Refuse(verdict, RC_SERVED_PLANNED, RC_REASON_STATE, nodeTag(node));
      break;
    case T_NullTest:
      if (castNode(NullTest, node)->argisrow)
        return Refuse(verdict, RC_SERVED_PLANNED, RC_REASON_STATE, nodeTag(node));
      break;
    case T_ScalarArrayOpExpr: /* a hash table in the statement's memory */
      if (OidIsValid(castNode(ScalarArrayOpExpr, node)->hashfuncid))
        return Refuse(verdict, RC_SERVED_PLANNED, RC_REASON_STATE, nodeTag(node));
      break;
    default:
      return Refuse(verdict, RC_SERVED_PLANNED, RC_REASON_STATE, nodeTag(node));
  }
  return expression_tree_walker(node, StateWalker, context);
}

/*
 * May planning have computed this call? Then only if it depends on its arguments alone. A function
 * that is not immutable is never computed: the call was dropped, as in "false AND f(x)".
 */
static bool MayVanish(Oid funcid) {
  HeapTuple tuple;
  Form_pg_proc proc;
  bool result;

  if (IsOneOf(funcid, not_foldable, lengthof(not_foldable))) return false;
  if (IsOneOf(funcid, foldable_io, lengthof(foldable_io))) return true;
  tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
  if (!HeapTupleIsValid(tuple)) return false;
  proc = (Form_pg_proc)GETSTRUCT(tuple);
  result = proc->provolatile != PROVOLATILE_IMMUTABLE;
  if (!result) {
    result = IsOneOf(proc->prorettype, foldable_types, lengthof(foldable_types));
    for (int i = 0; result && i < proc->pronargs; i++)
      result = IsOneOf(proc->proargtypes.values[i], foldable_types, lengthof(foldable_types));
  }
  ReleaseSysCache(tuple);
  return result;
}

/* Compare the calls before and after planning; what is gone must have been allowed to go. */
static bool VanishedAreSafe(List* before, List* after, RcVerdict* verdict) {
  ListCell* next = list_head(after);
  ListCell* cell;

  list_sort(before, list_oid_cmp);
  list_sort(after, list_oid_cmp);
  foreach (cell, before) {
    Oid funcid = lfirst_oid(cell);

    while (next != NULL && lfirst_oid(next) < funcid) next = lnext(after, next);
    if (next != NULL && lfirst_oid(next) == funcid) {
      next = lnext(after, next);
      continue;
    }
    verdict->folds = true;
    if (!MayVanish(funcid)) {
      Refuse(verdict, RC_SERVED_PARSED, RC_REASON_FOLDED, funcid);
      return false;
    }
  }
  return true;
}

bool RcMayKeepPlan(Node* parsed, RcVerdict* verdict) {
  CallScan scan = {verdict, NIL};

  memset(verdict, 0, sizeof(*verdict));
  verdict->served = RC_SERVED_PLANNED;
  return !ParsedWalker(parsed, &scan);
}

void RcJudgePlan(Node* parsed, Node* planned, RcVerdict* verdict) {
  CallScan before = {verdict, NIL};
  CallScan after = {verdict, NIL};

  memset(verdict, 0, sizeof(*verdict));
  verdict->served = RC_SERVED_POOLED;
  if (ParsedWalker(parsed, &before) || ParsedWalker(planned, &after) ||
      !VanishedAreSafe(before.functions, after.functions, verdict))
    return;
  (void)StateWalker(planned, verdict);
}

bool RcFunctionHookIsSet(void) {
  return object_access_hook != NULL || object_access_hook_str != NULL || needs_fmgr_hook != NULL ||
         fmgr_hook != NULL;
}

const char* RcServedText(RcServed served) {
  switch (served) {
    case RC_SERVED_PARSED:
      return "parsed";
    case RC_SERVED_PLANNED:
      return "planned";
    case RC_SERVED_POOLED:
      return "compiled";
  }
  return NULL;
}

/* What an administrator would call a kind of expression; no promise to be complete. */
static const char* NodeText(Oid tag) {
  switch ((NodeTag)tag) {
    case T_Var:
      return "a whole row";
    case T_RowExpr:
    case T_RowCompareExpr:
    case T_FieldSelect:
    case T_NullTest:
    case T_ConvertRowtypeExpr:
      return "a row or a composite value";
    case T_ScalarArrayOpExpr:
      return "a long list after IN or ANY";
    case T_ArrayExpr:
    case T_ArrayCoerceExpr:
    case T_SubscriptingRef:
      return "an array built or taken apart";
    case T_CoerceToDomain:
      return "a cast to a domain";
    case T_NamedArgExpr:
      return "an argument passed by name";
    case T_XmlExpr:
      return "an XML expression";
    default:
      return psprintf("a kind of expression not on the list (node tag %u)", tag);
  }
}

char* RcReasonText(const RcVerdict* verdict) {
  switch (verdict->reason) {
    case RC_REASON_NONE:
      return NULL;
    case RC_REASON_FUNCTION:
      return psprintf("calls %s, which is not one of the server's own functions in C",
                      format_procedure(verdict->object));
    case RC_REASON_PRIVILEGE:
      return psprintf("calls %s, which has an access list", format_procedure(verdict->object));
    case RC_REASON_TYPE:
      return psprintf("computes with type %s, which is not built in",
                      format_type_be(verdict->object));
    case RC_REASON_NODE:
      return psprintf("contains %s", NodeText(verdict->object));
    case RC_REASON_FOLDED:
      return psprintf("planning computes %s, which may depend on settings",
                      format_procedure(verdict->object));
    case RC_REASON_STATE:
      return psprintf("contains %s, whose compiled form belongs to one statement",
                      NodeText(verdict->object));
    case RC_REASON_SWITCHED_OFF:
      return pstrdup("relcache_checks.planned_trees was off when it was made");
  }
  return NULL;
}
