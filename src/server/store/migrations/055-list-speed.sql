-- Lists of hundreds of thousands of subscriptions.
--
-- Filters that take a few values each, together in one index: any of them and any two, three or more are counted from it alone. Many rows share
-- each combination, so that it is small and costs a write little.
create index contracts_facets on contracts (store_id, status, country_code, frequency, delivery_type, source, last_payment_status, last_payment_category, is_prepaid, is_marked_for_cancellation, has_custom_plan, completed_orders);

-- The first of the subscriptions found by words and lists, in the order of a list, and how many were found: for what many rows have and the first
-- thousands of the list have not. Walking on through the list would read everything before them; the other indexes lead to them at once, which is
-- why an ordered walk is switched off. Runs as the owner and keeps to the store of the transaction, as contracts_matching does.
create function contracts_first_matching(parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[], sort_by text, descending boolean, most integer)
returns table (id bigint, found bigint) language plpgsql stable security definer rows 26 set search_path = public, pg_temp set enable_indexscan = off set enable_indexonlyscan = off set enable_seqscan = off as $$
begin
  if sort_by not in ('id', 'created_at', 'updated_at', 'next_billing_at', 'total') then raise exception 'contracts are not ordered by %', sort_by; end if;
  return query execute 'select c.id, count(*) over () from contracts c where c.store_id = $1'
    || search_clause(parts, starts)
    || case when with_products is null then '' else ' and product_ids && $2' end
    || case when with_variants is null then '' else ' and variant_ids && $3' end
    || case when with_groups is null then '' else ' and plan_group_ids && $4' end
    || case when with_tags is null then '' else ' and tags && $5' end
    || format(' order by c.%1$I is null, c.%1$I %2$s, c.id %2$s limit $6', sort_by, case when descending then 'desc' else 'asc' end)
    using current_store(), with_products, with_variants, with_groups, with_tags, most;
end $$;
revoke execute on function contracts_first_matching(text[], text[], bigint[], bigint[], bigint[], text[], text, boolean, integer) from public;
grant execute on function contracts_first_matching(text[], text[], bigint[], bigint[], bigint[], text[], text, boolean, integer) to perennial_app;
