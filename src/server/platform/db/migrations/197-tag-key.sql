-- What two tags are compared by, as src/domain/text/tags.ts says it: without case, composed letters, one space.
create function tag_key(tag text) returns text language sql immutable parallel safe as $$
  select lower(normalize(btrim(regexp_replace(tag, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')), nfc))
$$;
