-- What runs beside a statement: triggers with WHEN, rules, views, policies, extended statistics.
create table account (id int primary key, owner name default current_user, balance numeric not null default 0, changed timestamptz,
  note text, level int check (level between 0 and 9));
create table audit (id int, at timestamptz default now(), what text);

create function touch() returns trigger language plpgsql as $$ begin new.changed := now(); return new; end $$;
create function log_change() returns trigger language plpgsql as $$ begin insert into audit values (new.id, now(), tg_argv[0]); return null; end $$;

create trigger a_touch before insert or update on account for each row execute function touch();
create trigger b_large after update of balance, level on account for each row
  when (old.balance is distinct from new.balance and new.balance > 1000) execute function log_change('large', E'it''s \\ and "quoted"', '');
create trigger c_insert after insert on account for each row when (new.level > 5 or new.note like 'vip%') execute function log_change('vip');
create trigger d_statement after delete on account referencing old table as gone for each statement execute function log_change('deleted');
create constraint trigger e_deferred after insert on account deferrable initially deferred for each row execute function log_change();
alter table account disable trigger c_insert;
alter table account enable always trigger a_touch;

create view rich as select id, owner, balance from account where balance > 1000000 with check option;
create view totals as select owner, count(*) as n, sum(balance) filter (where level > 1) as total from account group by owner having count(*) > 1;
create materialized view snapshot as select * from totals;
create rule audit_no_delete as on delete to audit do instead nothing;
create rule account_log as on update to account where new.level <> old.level do also insert into audit values (old.id, now(), 'level ' || new.level);
create trigger rich_insert instead of insert on rich for each row execute function touch();

alter table account enable row level security, force row level security;
create policy own_rows on account using (owner = current_user) with check (owner = current_user and balance >= 0);
create policy low_levels on account as restrictive for select to public using (level < 5 or pg_has_role(current_user, 'pg_monitor', 'member'));

create statistics account_stats (ndistinct, mcv) on owner, (balance / 100), (lower(note)) from account;
create sequence tickets as int start 100 increment 10;
create table ticket (id int default nextval('tickets'), also int generated always as identity (start 5), title varchar(40) default 'untitled'::varchar);
create collation nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table word (w text collate nocase primary key, v text collate "C" check (v < 'm'), check (w <> 'Forbidden'));
