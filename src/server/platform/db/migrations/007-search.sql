-- Finding records by words and by lists they hold.
--
-- LIKE and && are not leakproof, so PostgreSQL never lets an index answer them below a row-level security policy. These functions run as
-- the owner and keep to the store of the transaction by themselves; without a store they find nothing. Each word of `parts` must stand
-- somewhere in the searched text, each of `starts` at the beginning of a word; each list that is given must share a member with the column.

create function search_clause_in_words(parts text[], starts text[]) returns text
language plpgsql immutable set search_path = public, pg_temp as $$
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

-- Several words that are looked for at the beginning of words: as regular expressions the index of trigrams answers all of them in one pass
-- and gives the rows that have all, where "like this or like that" lets it answer one word only and reads every row that has it. The rows
-- found are the same.
create function search_clause(parts text[], starts text[]) returns text
language plpgsql immutable set search_path = public, pg_temp as $$
declare
  clause text;
  word text;
  others text[] := '{}';
begin
  if coalesce(cardinality(starts), 0) < 2 then return search_clause_in_words(parts, starts); end if;
  clause := '';
  -- Letters and digits stand for themselves in an expression; a word with anything else is looked for as a single one is.
  foreach word in array starts loop
    if word ~ '^[a-z0-9]+$' then clause := clause || format(' and search ~ %L', '(^| )' || word);
    else others := others || word;
    end if;
  end loop;
  return search_clause_in_words(parts, others) || clause;
end $$;

create function contracts_matching(
  parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[], most integer
) returns setof bigint language plpgsql stable security definer rows 500 set search_path = public, pg_temp as $$
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

-- The first of the subscriptions found by words and lists, in the order of a list, and how many were found: for what many rows have and the
-- first thousands of the list have not. Walking on through the list would read everything before them; the other indexes lead to them at
-- once, which is why an ordered walk is switched off.
create function contracts_first_matching(
  parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[],
  sort_by text, descending boolean, most integer
) returns table (id bigint, found bigint) language plpgsql stable security definer rows 26
set search_path = public, pg_temp set enable_indexscan = off set enable_indexonlyscan = off set enable_seqscan = off as $$
begin
  if sort_by not in ('id', 'created_at', 'updated_at', 'next_billing_at', 'total') then
    raise exception 'contracts are not ordered by %', sort_by;
  end if;
  return query execute 'select c.id, count(*) over () from contracts c where c.store_id = $1'
    || search_clause(parts, starts)
    || case when with_products is null then '' else ' and product_ids && $2' end
    || case when with_variants is null then '' else ' and variant_ids && $3' end
    || case when with_groups is null then '' else ' and plan_group_ids && $4' end
    || case when with_tags is null then '' else ' and tags && $5' end
    || format(' order by c.%1$I is null, c.%1$I %2$s, c.id %2$s limit $6', sort_by, case when descending then 'desc' else 'asc' end)
    using current_store(), with_products, with_variants, with_groups, with_tags, most;
end $$;

-- How many records a search will find, as the planner guesses: rare words are looked up in the index at once, common ones are met on the
-- way through the list. The guess runs as the owner, because below a row-level security policy the planner may not look at its statistics;
-- EXPLAIN may only run in volatile functions. It is made of plain words: the planner knows less of expressions.
create function matching_estimate(from_table text, parts text[], starts text[], lists text)
returns bigint language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  plan json;
begin
  if from_table not in ('contracts', 'customers', 'products') or current_store() is null then return 0; end if;
  execute format('explain (format json) select 1 from %I where store_id = %s', from_table, current_store())
    || search_clause_in_words(parts, starts) || lists into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint;
end $$;

create function contracts_estimate(
  parts text[], starts text[], with_products bigint[], with_variants bigint[], with_groups bigint[], with_tags text[]
) returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('contracts', parts, starts,
    case when with_products is null then '' else format(' and product_ids && %L::bigint[]', with_products) end
    || case when with_variants is null then '' else format(' and variant_ids && %L::bigint[]', with_variants) end
    || case when with_groups is null then '' else format(' and plan_group_ids && %L::bigint[]', with_groups) end
    || case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
create function customers_estimate(parts text[], starts text[], with_tags text[])
returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('customers', parts, starts,
    case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
create function products_estimate(parts text[], starts text[], with_tags text[])
returns bigint language sql volatile security definer set search_path = public, pg_temp as $$
  select matching_estimate('products', parts, starts,
    case when with_tags is null then '' else format(' and tags && %L::text[]', with_tags) end)
$$;
