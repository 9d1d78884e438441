-- Finding records by words and by lists they hold, counting of customers and orders, and the account log by person and action.
--
-- LIKE and && are not leakproof, so PostgreSQL never lets an index answer them below a row-level security policy. These functions run as
-- the owner and keep to the store of the transaction by themselves; without a store they find nothing. Each word of `parts` must stand
-- somewhere in the searched text, each of `starts` at the beginning of a word; each list that is given must share a member with the column.

create function search_clause(parts text[], starts text[]) returns text language plpgsql immutable set search_path = public, pg_temp as $$
declare
  clause text := '';
  word text;
begin
  foreach word in array coalesce(parts, '{}') loop
    clause := clause || format(' and search like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%');
  end loop;
  foreach word in array coalesce(starts, '{}') loop
    word := regexp_replace(word, '([\\%_])', '\\\1', 'g');
    clause := clause || format(' and (search like %L or search like %L)', word || '%', '% ' || word || '%');
  end loop;
  return clause;
end $$;

create function contracts_matching(parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[], most integer)
returns setof bigint language plpgsql stable security definer rows 500 set search_path = public, pg_temp as $$
begin
  return query execute 'select id from contracts where store_id = $1'
    || search_clause(parts, starts)
    || case when with_products is null then '' else ' and product_ids && $2' end
    || case when with_variants is null then '' else ' and variant_ids && $3' end
    || case when with_groups is null then '' else ' and plan_group_ids && $4' end
    || case when with_tags is null then '' else ' and tags && $5' end
    || ' limit $6'
    using current_store(), with_products, with_variants, with_groups, with_tags, most;
end $$;

create function customers_matching(parts text[], starts text[], with_tags text[], most integer)
returns setof bigint language plpgsql stable security definer rows 500 set search_path = public, pg_temp as $$
begin
  return query execute 'select id from customers where store_id = $1'
    || search_clause(parts, starts)
    || case when with_tags is null then '' else ' and tags && $2' end
    || ' limit $3'
    using current_store(), with_tags, most;
end $$;

create function products_matching(parts text[], starts text[], with_tags text[], most integer)
returns setof bigint language plpgsql stable security definer rows 500 set search_path = public, pg_temp as $$
begin
  return query execute 'select id from products where store_id = $1 and deleted_at is null'
    || search_clause(parts, starts)
    || case when with_tags is null then '' else ' and tags && $2' end
    || ' limit $3'
    using current_store(), with_tags, most;
end $$;

revoke execute on function contracts_matching(text[], text[], bigint[], bigint[], bigint[], text[], integer) from public;
revoke execute on function customers_matching(text[], text[], text[], integer) from public;
revoke execute on function products_matching(text[], text[], text[], integer) from public;
grant execute on function contracts_matching(text[], text[], bigint[], bigint[], bigint[], text[], integer) to perennial_app;
grant execute on function customers_matching(text[], text[], text[], integer) to perennial_app;
grant execute on function products_matching(text[], text[], text[], integer) to perennial_app;

-- Customers and orders are counted like contracts, under the key ALL.
create function count_all() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, tg_table_name, 'ALL', pg_backend_pid() % 16, count(*) from added group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, tg_table_name, 'ALL', pg_backend_pid() % 16, -count(*) from removed group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger customers_counted_insert after insert on customers referencing new table as added for each statement execute function count_all();
create trigger customers_counted_delete after delete on customers referencing old table as removed for each statement execute function count_all();
create trigger orders_counted_insert after insert on orders referencing new table as added for each statement execute function count_all();
create trigger orders_counted_delete after delete on orders referencing old table as removed for each statement execute function count_all();

create index account_log_action on account_log (store_id, action, id desc);
create index account_log_user on account_log (store_id, user_email, id desc);
create index account_log_age on account_log using brin (created_at);
