-- Links to the page of a gift are signed and good for a while. What signs them stood in the links before: it is replaced.
update gifts set portal_token = replace(gen_random_uuid()::text, '-', '') where portal_token <> '';
