-- A snapshot of a database's catalogs as one JSON document (docs/json_catalog_format.md). Run by scripts/snapshot with psql -At.
-- Reads one moment: everything comes from one repeatable-read transaction. PostgreSQL 10 to 18; what a version does not have is
-- replaced by the value that stands for its absence.
-- Variable: schemas, the text of an array of schema names, '{}' for all but the system's.
\set ON_ERROR_STOP 1
-- Whatever the database and the role have set, a value has one text: attmissingval is read back under these settings.
set client_encoding = 'UTF8';
set search_path = pg_catalog;
set standard_conforming_strings = on;
set quote_all_identifiers = off;
set datestyle = 'ISO, YMD';
set intervalstyle = 'postgres';
set timezone = 'UTC';
set bytea_output = 'hex';
set extra_float_digits = 3;
set lc_monetary = 'C';
set lc_numeric = 'C';
set lc_time = 'C';
set xmlbinary = 'base64';
set statement_timeout = 0;
-- Compiling these queries takes longer than running them; not every version can.
select set_config(name, 'off', false) as jit from pg_settings where name = 'jit' \gset
begin transaction isolation level repeatable read read only;
-- A schema that does not exist is an error: a misspelled name would otherwise give a snapshot without its relations.
select count(quote_ident(name)::regnamespace) as schemas_found from unnest(:'schemas'::text[]) as name \gset

select case when v >= 150000 then 'datlocprovider' else '''c''' end as datlocprovider,
       case when v >= 170000 then 'datlocale' when v >= 150000 then 'daticulocale' else 'null::text' end as datlocale,
       case when v >= 160000 then 'daticurules' else 'null::text' end as daticurules,
       case when v >= 150000 then 'datcollversion' else 'null::text' end as datcollversion,
       case when v >= 110000 then 'atthasmissing' else 'false' end as atthasmissing,
       case when v >= 110000 then 'attmissingval::text' else 'null::text' end as attmissingval,
       case when v >= 120000 then 'attgenerated' else '''''::"char"' end as attgenerated,
       case when v >= 140000 then 'attcompression' else '''''::"char"' end as attcompression,
       case when v >= 110000 then 'conparentid' else '0::oid' end as conparentid,
       case when v >= 150000 then 'confdelsetcols' else 'null::int2[]' end as confdelsetcols,
       case when v >= 180000 then 'conenforced' else 'true' end as conenforced,
       case when v >= 180000 then 'conperiod' else 'false' end as conperiod,
       case when v >= 110000 then 'indnkeyatts' else 'indnatts' end as indnkeyatts,
       case when v >= 150000 then 'indnullsnotdistinct' else 'false' end as indnullsnotdistinct,
       case when v >= 130000 then 'tgparentid' else '0::oid' end as tgparentid,
       case when v >= 140000 then 'inhdetachpending' else 'false' end as inhdetachpending,
       case when v >= 110000 then 'partdefid' else '0::oid' end as partdefid,
       case when v >= 140000 then 'stxexprs::text' else 'null::text' end as stxexprs,
       case when v >= 140000 then 'rngmultitypid' else '0::oid' end as rngmultitypid,
       case when v >= 110000 then 'prokind' else 'case when proisagg then ''a'' when proiswindow then ''w'' else ''f'' end' end
         as prokind,
       case when v >= 140000 then 'prosqlbody::text' else 'null::text' end as prosqlbody,
       case when v >= 120000 then 'collisdeterministic' else 'true' end as collisdeterministic,
       case when v >= 170000 then 'colllocale' when v >= 150000 then 'colliculocale'
            else 'case when collprovider = ''i'' then collcollate::text end' end as colllocale,
       case when v >= 160000 then 'collicurules' else 'null::text' end as collicurules
from (select current_setting('server_version_num')::int as v) as s \gset

-- The objects that the snapshot holds, found once and kept as one array of each kind: the relations of the schemas, what they
-- inherit from and what inherits from them, and the types, functions, operators, collations and operator classes that these and
-- their expressions name. In a node tree an oid is the number after a field that is known to hold one, ":opno 96", or one of a
-- list, ":opnos (o 97 97)". A tree is split after each place in the text of its statement, and a constant's bytes, which stand
-- there, are left out: the pieces are objects themselves, alike in many trees, and union leaves one of each. A name within a
-- tree cannot look like such a place, for its spaces are escaped. A piece is split at " :" and its parts compared as a whole; a
-- regular expression over the tree would take fifty times as long.
with recursive object(kind, oid, piece) as (
  select 'relation', c.oid, null::text collate "C"
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind <> 't'
    and case when :'schemas' <> '{}' then nspname::text = any (:'schemas'::text[])
        else nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp_|toast_temp_)' end
  union
  select found.kind, found.oid, found.piece collate "C"
  from object o cross join lateral (
    select kind, oid, null::text as piece from (
      select 'type' as kind, atttypid as oid from pg_attribute where attrelid = o.oid and attnum > 0 and not attisdropped
      union all select 'collation', attcollation from pg_attribute where attrelid = o.oid and attnum > 0
      union all select 'type', reloftype from pg_class where pg_class.oid = o.oid
      union all select 'relation', inhparent from pg_inherits where inhrelid = o.oid
      union all select 'relation', inhrelid from pg_inherits where inhparent = o.oid
      union all select 'relation', indexrelid from pg_index where indrelid = o.oid
      union all select 'relation', indrelid from pg_index where indexrelid = o.oid
      union all select 'opclass', unnest(indclass::oid[]) from pg_index where indrelid = o.oid
      union all select 'opclass', unnest(partclass::oid[]) from pg_partitioned_table where partrelid = o.oid
      union all select 'proc', tgfoid from pg_trigger where tgrelid = o.oid
      union all select 'operator', unnest(conexclop) from pg_constraint where conrelid = o.oid
    ) as r where o.kind = 'relation'
    union all
    select kind, oid, null from (
      select 'type' as kind, unnest(array[typelem, typbasetype]) as oid from pg_type where pg_type.oid = o.oid
      union all select 'relation', typrelid from pg_type where pg_type.oid = o.oid and typtype = 'c'
      union all select 'collation', typcollation from pg_type where pg_type.oid = o.oid
      union all select 'type', rngsubtype from pg_range where rngtypid = o.oid
      union all select 'type', :rngmultitypid from pg_range where rngtypid = o.oid
      union all select 'opclass', rngsubopc from pg_range where rngtypid = o.oid
      union all select 'type', rngtypid from pg_range where :rngmultitypid = o.oid
    ) as t where o.kind = 'type'
    union all
    select kind, oid, null from (
      select 'type' as kind, prorettype as oid from pg_proc where pg_proc.oid = o.oid
      union all select 'type', unnest(proargtypes::oid[] || proallargtypes) from pg_proc where pg_proc.oid = o.oid
    ) as p where o.kind = 'proc'
    union all
    select kind, oid, null from (
      select 'proc' as kind, oprcode as oid from pg_operator where pg_operator.oid = o.oid
      union all select 'type', unnest(array[oprleft, oprright, oprresult]) from pg_operator where pg_operator.oid = o.oid
    ) as op where o.kind = 'operator'
    union all
    select kind, oid, null from (
      select 'type' as kind, unnest(array[opcintype, opckeytype]) as oid from pg_opclass where pg_opclass.oid = o.oid
      union all
      select 'proc', amproc from pg_opclass c join pg_amproc on amprocfamily = opcfamily and amproclefttype = opcintype
        and amprocrighttype = opcintype where c.oid = o.oid
    ) as oc where o.kind = 'opclass'
    union all
    select 'piece', null, case when split_part(rest, ' ', 2) = ':constvalue' and split_part(rest, ' ', 4) = '['
                               then substr(rest, strpos(rest, ']')) else rest end
    from (
      select ltrim(unnest(string_to_array(trees.tree, ' :location ')), '-0123456789') as rest
      from (
        select conbin::text as tree from pg_constraint where o.kind = 'relation' and conrelid = o.oid
        union all select adbin::text from pg_attrdef where o.kind = 'relation' and adrelid = o.oid
        union all select indexprs::text from pg_index where o.kind = 'relation' and indrelid = o.oid
        union all select indpred::text from pg_index where o.kind = 'relation' and indrelid = o.oid
        union all select tgqual::text from pg_trigger where o.kind = 'relation' and tgrelid = o.oid
        union all select ev_qual::text from pg_rewrite where o.kind = 'relation' and ev_class = o.oid
        union all select ev_action::text from pg_rewrite where o.kind = 'relation' and ev_class = o.oid
        union all select polqual::text from pg_policy where o.kind = 'relation' and polrelid = o.oid
        union all select polwithcheck::text from pg_policy where o.kind = 'relation' and polrelid = o.oid
        union all select partexprs::text from pg_partitioned_table where o.kind = 'relation' and partrelid = o.oid
        union all select relpartbound::text from pg_class where o.kind = 'relation' and pg_class.oid = o.oid
        union all select :stxexprs from pg_statistic_ext where o.kind = 'relation' and stxrelid = o.oid
        union all select conbin::text from pg_constraint where o.kind = 'type' and contypid = o.oid
        union all select typdefaultbin::text from pg_type where o.kind = 'type' and pg_type.oid = o.oid
        union all select proargdefaults::text from pg_proc where o.kind = 'proc' and pg_proc.oid = o.oid
        union all select :prosqlbody from pg_proc where o.kind = 'proc' and pg_proc.oid = o.oid
      ) as trees
      where tree is not null
    ) as pieces
    union all
    select field.kind, number::bigint::oid, null
    from unnest(string_to_array(o.piece, ' :')) as member
    join (values
      ('opno', 'operator'), ('opnos', 'operator'), ('eqop', 'operator'), ('sortop', 'operator'), ('funcid', 'proc'),
      ('aggfnoid', 'proc'), ('winfnoid', 'proc'), ('hashfuncid', 'proc'), ('negfuncid', 'proc'),
      ('elemfuncid', 'proc'), ('opfuncid', 'proc'), ('vartype', 'type'), ('consttype', 'type'), ('paramtype', 'type'),
      ('aggtype', 'type'), ('aggtranstype', 'type'), ('aggargtypes', 'type'), ('wintype', 'type'),
      ('refrestype', 'type'), ('refcontainertype', 'type'), ('refarraytype', 'type'), ('refelemtype', 'type'),
      ('resulttype', 'type'), ('array_typeid', 'type'), ('element_typeid', 'type'), ('row_typeid', 'type'),
      ('coalescetype', 'type'), ('minmaxtype', 'type'), ('type', 'type'), ('typeId', 'type'), ('casetype', 'type'),
      ('opresulttype', 'type'), ('funcresulttype', 'type'), ('varcollid', 'collation'), ('constcollid', 'collation'),
      ('paramcollid', 'collation'), ('inputcollid', 'collation'), ('inputcollids', 'collation'),
      ('resultcollid', 'collation'), ('array_collid', 'collation'), ('casecollid', 'collation'),
      ('coalescecollid', 'collation'), ('minmaxcollid', 'collation'), ('refcollid', 'collation'),
      ('aggcollid', 'collation'), ('wincollid', 'collation'), ('collation', 'collation'), ('collOid', 'collation'),
      ('opcollid', 'collation'), ('funccollid', 'collation'),
      -- of queries only
      ('coltypes', 'type'), ('colTypes', 'type'), ('colcollations', 'collation'), ('colCollations', 'collation'),
      ('ctecoltypes', 'type'), ('ctecolcollations', 'collation'), ('funccoltypes', 'type'),
      ('funccolcollations', 'collation'), ('cycle_mark_type', 'type'), ('cycle_mark_collation', 'collation'),
      ('cycle_mark_neop', 'operator'), ('startInRangeFunc', 'proc'), ('endInRangeFunc', 'proc'),
      ('inRangeColl', 'collation'), ('infercollid', 'collation'), ('msftype', 'type'), ('msfcollid', 'collation'),
      ('tsmhandler', 'proc'), ('typid', 'type')
    ) as field(name, kind) on field.name = split_part(member, ' ', 1)
    cross join lateral unnest(string_to_array(
      case when split_part(member, ' ', 2) = '(o' then split_part(split_part(member, '(o ', 2), ')', 1)
           else rtrim(split_part(member, ' ', 2), ')}') end, ' ')) as number
    where o.kind = 'piece' and number <> '' and translate(number, '0123456789', '') = ''
  ) as found(kind, oid, piece)
  where found.oid <> 0 or found.piece is not null
)
select coalesce(array_agg(oid) filter (where kind = 'relation'), '{}') as relations,
       coalesce(array_agg(oid) filter (where kind = 'type'), '{}') as types,
       coalesce(array_agg(oid) filter (where kind = 'proc'), '{}') as procs,
       coalesce(array_agg(oid) filter (where kind = 'operator'), '{}') as operators,
       coalesce(array_agg(oid) filter (where kind = 'collation'), '{}') as collations,
       coalesce(array_agg(oid) filter (where kind = 'opclass'), '{}') as opclasses
from object \gset

select '{"format":"relcache catalog","format_version":1,' || E'\n"server":' || row_to_json(s)::text || ','
from (
  select current_setting('server_version_num')::int as server_version_num, pg_encoding_to_char(encoding) as server_encoding,
         :datlocprovider as datlocprovider, datcollate, datctype, :datlocale as datlocale, :daticurules as daticurules,
         :datcollversion as datcollversion
  from pg_database where datname = current_database()
) as s;

select '"pg_namespace":[' || E'\n' || coalesce(string_agg(row_to_json(r)::text, E',\n'), '') || '],'
from (
  select oid::bigint, nspname from pg_namespace
  where nspname !~ '^pg_(toast|temp_|toast_temp_)'
  order by nspname
) as r;

-- A relation a piece, its rows a line each. rows(...) of a catalog: an array, [] when there are none.
select '"relations":[';
with
constraints as (
  select c.conrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by c.conname) as rows
  from pg_constraint c cross join lateral (
    select c.oid::bigint, conname, connamespace::bigint, contype, condeferrable, condeferred, :conenforced as conenforced,
           convalidated, conrelid::bigint, conindid::bigint, :conparentid::bigint as conparentid, confrelid::bigint, confupdtype,
           confdeltype, confmatchtype, conislocal, coninhcount, connoinherit, :conperiod as conperiod, conkey, confkey,
           conpfeqop::bigint[], conppeqop::bigint[], conffeqop::bigint[], :confdelsetcols as confdelsetcols,
           conexclop::bigint[], conbin::text
  ) as r where c.conrelid = any (:'relations') group by c.conrelid
),
attributes as (
  select a.attrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by a.attnum) as rows
  from pg_attribute a cross join lateral (
    select attname, atttypid::bigint, attlen, attnum, attndims, atttypmod, attbyval, attalign, attstorage,
           :attcompression as attcompression, attnotnull, atthasdef, :atthasmissing as atthasmissing, attidentity,
           :attgenerated as attgenerated, attisdropped, attislocal, attinhcount, attcollation::bigint, attoptions,
           :attmissingval as attmissingval
  ) as r where a.attrelid = any (:'relations') and a.attnum > 0 group by a.attrelid
),
attrdefs as (
  select d.adrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by d.adnum) as rows
  from pg_attrdef d cross join lateral (select d.oid::bigint, adnum, adbin::text) as r
  where d.adrelid = any (:'relations') group by d.adrelid
),
index_rows as (
  select i.indexrelid, i.indrelid, row_to_json(r)::text as row
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam cross join lateral (
    select indexrelid::bigint, indrelid::bigint, relname, amname, indnatts, :indnkeyatts as indnkeyatts, indisunique,
           :indnullsnotdistinct as indnullsnotdistinct, indisprimary, indisexclusion, indimmediate, indisclustered, indisvalid,
           indcheckxmin, indisready, indislive, indisreplident, indkey::int2[], indcollation::oid[]::bigint[] as indcollation,
           indclass::oid[]::bigint[] as indclass, indoption::int2[], indexprs::text, indpred::text
  ) as r where i.indrelid = any (:'relations')
),
indexes as (
  select owner, string_agg(row, E',\n' order by indexrelid) as rows
  from (select indrelid as owner, indexrelid, row from index_rows union all select indexrelid, indexrelid, row from index_rows) as b
  group by owner
),
triggers as (
  select t.tgrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by t.tgname) as rows
  from pg_trigger t cross join lateral (
    select t.oid::bigint, :tgparentid::bigint as tgparentid, tgname, tgfoid::bigint, tgtype, tgenabled, tgisinternal,
           tgconstrrelid::bigint, tgconstrindid::bigint, tgconstraint::bigint, tgdeferrable, tginitdeferred, tgattr::int2[],
           (select coalesce(json_agg(convert_from(substring(tgargs from first for p - first), getdatabaseencoding()) order by p), '[]')
            from (select p, coalesce(lag(p) over (order by p), 0) + 1 as first from generate_series(1, length(tgargs)) as p
                  where get_byte(tgargs, p - 1) = 0) as ends) as tgargs,
           tgqual::text, tgoldtable, tgnewtable
  ) as r where t.tgrelid = any (:'relations') group by t.tgrelid
),
rules as (
  select e.ev_class as owner, string_agg(row_to_json(r)::text, E',\n' order by e.rulename) as rows
  from pg_rewrite e cross join lateral (
    select e.oid::bigint, rulename, ev_type, ev_enabled, is_instead, ev_qual::text, ev_action::text
  ) as r where e.ev_class = any (:'relations') group by e.ev_class
),
policies as (
  select p.polrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by p.polname) as rows
  from pg_policy p cross join lateral (
    select p.oid::bigint, polname, polcmd, polpermissive, polroles::bigint[], polqual::text, polwithcheck::text
  ) as r where p.polrelid = any (:'relations') group by p.polrelid
),
partitioned as (
  select p.partrelid as owner, row_to_json(r)::text as row
  from pg_partitioned_table p cross join lateral (
    select partstrat, partnatts, :partdefid::bigint as partdefid, partattrs::int2[], partclass::oid[]::bigint[] as partclass,
           partcollation::oid[]::bigint[] as partcollation, partexprs::text
  ) as r where p.partrelid = any (:'relations')
),
parents as (
  select i.inhrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by i.inhseqno) as rows
  from pg_inherits i cross join lateral (
    select inhrelid::bigint, inhparent::bigint, inhseqno, :inhdetachpending as inhdetachpending
  ) as r where i.inhrelid = any (:'relations') group by i.inhrelid
),
statistics as (
  select s.stxrelid as owner, string_agg(row_to_json(r)::text, E',\n' order by s.oid) as rows
  from pg_statistic_ext s cross join lateral (
    select s.oid::bigint, stxname, stxnamespace::bigint, stxkeys::int2[], stxkind::text[], :stxexprs as stxexprs
  ) as r where s.stxrelid = any (:'relations') group by s.stxrelid
)
select string_agg(
  '{"pg_class":' || class || E',\n"nspname":' || to_json(nspname)::text ||
  E',\n"pg_attribute":[' || coalesce(E'\n' || attributes.rows, '') || ']' ||
  coalesce(E',\n"pg_constraint":[\n' || constraints.rows || ']', '') ||
  coalesce(E',\n"pg_attrdef":[\n' || attrdefs.rows || ']', '') ||
  coalesce(E',\n"pg_index":[\n' || indexes.rows || ']', '') ||
  coalesce(E',\n"pg_trigger":[\n' || triggers.rows || ']', '') ||
  coalesce(E',\n"pg_rewrite":[\n' || rules.rows || ']', '') ||
  coalesce(E',\n"pg_policy":[\n' || policies.rows || ']', '') ||
  coalesce(E',\n"pg_partitioned_table":' || partitioned.row, '') ||
  coalesce(E',\n"pg_inherits":[\n' || parents.rows || ']', '') ||
  coalesce(E',\n"pg_statistic_ext":[\n' || statistics.rows || ']', '') || '}', E',\n' order by nspname, relname)
from (
  select c.oid, nspname, c.relname, row_to_json(r)::text as class
  from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral (
    select c.oid::bigint, relname, relnamespace::bigint, reltype::bigint, reloftype::bigint, relowner::bigint, relam::bigint,
           reltablespace::bigint, relhasindex, relisshared, relpersistence, relkind, relnatts, relchecks, relhasrules,
           relhastriggers, relhassubclass, relrowsecurity, relforcerowsecurity, relispopulated, relreplident, relispartition,
           reloptions, relpartbound::text
  ) as r where c.oid = any (:'relations')
) as relation
left join attributes on attributes.owner = oid left join constraints on constraints.owner = oid
left join attrdefs on attrdefs.owner = oid left join indexes on indexes.owner = oid
left join triggers on triggers.owner = oid left join rules on rules.owner = oid
left join policies on policies.owner = oid left join partitioned on partitioned.owner = oid
left join parents on parents.owner = oid left join statistics on statistics.owner = oid;

select '],' || E'\n"types":[' || E'\n' || coalesce(string_agg(
  '{"pg_type":' || row_to_json(r)::text || ',"nspname":' || to_json(nspname)::text ||
  coalesce(E',\n"pg_constraint":[\n' || (
    select string_agg(row_to_json(c)::text, E',\n' order by conname) from (
      select oid::bigint, conname, connamespace::bigint, contype, convalidated, contypid::bigint, conbin::text
      from pg_constraint where contypid = r.oid) as c) || ']', '') ||
  coalesce(E',\n"pg_enum":[\n' || (
    select string_agg(row_to_json(e)::text, E',\n' order by enumsortorder) from (
      select oid::bigint, enumsortorder, enumlabel from pg_enum where enumtypid = r.oid) as e) || ']', '') ||
  coalesce(E',\n"pg_range":' || (
    select row_to_json(g)::text from (
      select rngsubtype::bigint, :rngmultitypid::bigint as rngmultitypid, rngcollation::bigint, rngsubopc::bigint,
             rngcanonical::oid::bigint as rngcanonical, rngsubdiff::oid::bigint as rngsubdiff
      from pg_range where rngtypid = r.oid) as g), '') || '}', E',\n' order by nspname, r.oid), '') || '],'
from (
  select oid::bigint, typname, typnamespace::bigint, typowner::bigint, typlen, typbyval, typtype, typcategory, typispreferred,
         typisdefined, typdelim, typrelid::bigint, typelem::bigint, typarray::bigint, typinput::oid::bigint as typinput,
         typoutput::oid::bigint as typoutput, typmodin::oid::bigint as typmodin, typmodout::oid::bigint as typmodout, typalign,
         typstorage, typnotnull, typbasetype::bigint, typtypmod, typndims, typcollation::bigint, typdefaultbin::text, typdefault
  from pg_type where oid = any (:'types')
) as r join pg_namespace n on n.oid = r.typnamespace;

select '"pg_proc":[' || E'\n' || coalesce(string_agg(row_to_json(r)::text, E',\n' order by r.oid), '') || '],'
from (
  select p.oid::bigint, proname, pronamespace::bigint, nspname, proowner::bigint, prolang::bigint, provariadic::bigint,
         :prokind as prokind, prosecdef, proleakproof, proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults,
         prorettype::bigint, proargtypes::oid[]::bigint[] as proargtypes, proallargtypes::bigint[], proargmodes::text[],
         proargnames, proargdefaults::text, prosrc, :prosqlbody as prosqlbody
  from pg_proc p join pg_namespace n on n.oid = pronamespace where p.oid = any (:'procs')
) as r;

select '"pg_operator":[' || E'\n' || coalesce(string_agg(row_to_json(r)::text, E',\n' order by r.oid), '') || '],'
from (
  select o.oid::bigint, oprname, oprnamespace::bigint, nspname, oprkind, oprcanmerge, oprcanhash, oprleft::bigint,
         oprright::bigint, oprresult::bigint, oprcom::bigint, oprnegate::bigint, oprcode::oid::bigint as oprcode
  from pg_operator o join pg_namespace n on n.oid = oprnamespace where o.oid = any (:'operators')
) as r;

select '"pg_collation":[' || E'\n' || coalesce(string_agg(row_to_json(r)::text, E',\n' order by r.oid), '') || '],'
from (
  select c.oid::bigint, collname, collnamespace::bigint, nspname, collprovider, :collisdeterministic as collisdeterministic,
         collencoding, collcollate, collctype, :colllocale as colllocale, :collicurules as collicurules, collversion
  from pg_collation c join pg_namespace n on n.oid = collnamespace where c.oid = any (:'collations')
) as r;

select '"pg_opclass":[' || E'\n' || coalesce(string_agg(row_to_json(r)::text, E',\n' order by r.oid), '') || ']}'
from (
  select c.oid::bigint, opcname, opcnamespace::bigint, nspname, amname, opcfamily::bigint, opcintype::bigint, opcdefault,
         opckeytype::bigint, (
           select coalesce(json_agg(row_to_json(p)), '[]') from (
             select amprocnum, amproc::oid::bigint as amproc from pg_amproc
             where amprocfamily = opcfamily and amproclefttype = opcintype and amprocrighttype = opcintype order by amprocnum) as p
         ) as pg_amproc
  from pg_opclass c join pg_namespace n on n.oid = opcnamespace join pg_am a on a.oid = opcmethod
  where c.oid = any (:'opclasses')
) as r;
commit;
