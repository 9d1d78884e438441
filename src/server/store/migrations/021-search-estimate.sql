-- How many records a search will find, as the planner guesses: rare words are looked up in the index at once, common ones are met on the way
-- through the list. (EXPLAIN may only run in volatile functions.) The guess runs as the owner, because below a row-level security policy the planner may not look at its statistics.

create function matching_estimate(from_table text, parts text[], starts text[], lists text) returns bigint language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  plan json;
begin
  if from_table not in ('contracts', 'customers', 'products') or current_store() is null then return 0; end if;
  execute format('explain (format json) select 1 from %I where store_id = %s', from_table, current_store()) || search_clause(parts, starts) || lists into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint;
end $$;
revoke execute on function matching_estimate(text, text[], text[], text) from public;

create function contracts_estimate(parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[])
returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('contracts', parts, starts,
    case when with_products is null then '' else format(' and product_ids && %L::bigint[]', with_products) end
    || case when with_variants is null then '' else format(' and variant_ids && %L::bigint[]', with_variants) end
    || case when with_groups is null then '' else format(' and plan_group_ids && %L::bigint[]', with_groups) end
    || case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
create function customers_estimate(parts text[], starts text[], with_tags text[]) returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('customers', parts, starts, case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
create function products_estimate(parts text[], starts text[], with_tags text[]) returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('products', parts, starts, case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
revoke execute on function contracts_estimate(text[], text[], bigint[], bigint[], bigint[], text[]) from public;
revoke execute on function customers_estimate(text[], text[], text[]) from public;
revoke execute on function products_estimate(text[], text[], text[]) from public;
grant execute on function contracts_estimate(text[], text[], bigint[], bigint[], bigint[], text[]) to perennial_app;
grant execute on function customers_estimate(text[], text[], text[]) to perennial_app;
grant execute on function products_estimate(text[], text[], text[]) to perennial_app;
