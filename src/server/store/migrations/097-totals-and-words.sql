-- Totals in order within each currency, with the country and the state of each subscription: most countries have one currency, so that a list of one country
-- looks through others in vain; here it does so in the index alone.
create index contracts_currency_amount on contracts (store_id, currency_code, total desc, id desc) include (country_code, status);
drop index contracts_currency_total;

-- Several words that are looked for at the beginning of words: as regular expressions the index of trigrams answers all of them in one pass and gives the
-- rows that have all, where "like this or like that" lets it answer one word only and reads every row that has it. The rows found are the same.
alter function search_clause(text[], text[]) rename to search_clause_in_words;
create function search_clause(parts text[], starts text[]) returns text language plpgsql immutable set search_path = public, pg_temp as $$
declare
  clause text;
  word text;
  others text[] := '{}';
begin
  if coalesce(cardinality(starts), 0) < 2 then return search_clause_in_words(parts, starts); end if;
  clause := '';
  -- Letters and digits stand for themselves in an expression; a word with anything else is looked for as before.
  foreach word in array starts loop
    if word ~ '^[a-z0-9]+$' then clause := clause || format(' and search ~ %L', '(^| )' || word);
    else others := others || word;
    end if;
  end loop;
  return search_clause_in_words(parts, others) || clause;
end $$;

-- How many there are is guessed from the words as before: the planner knows less of expressions.
create or replace function matching_estimate(from_table text, parts text[], starts text[], lists text) returns bigint language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  plan json;
begin
  if from_table not in ('contracts', 'customers', 'products') or current_store() is null then return 0; end if;
  execute format('explain (format json) select 1 from %I where store_id = %s', from_table, current_store()) || search_clause_in_words(parts, starts) || lists into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint;
end $$;
