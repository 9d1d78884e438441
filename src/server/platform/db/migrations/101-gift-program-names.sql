-- What the program was called when the gift was bought, so that lists and files say it.
alter table gifts add column program_name text not null default '';
update gifts g set program_name = coalesce(r.data ->> 'name', '') from records r
  where r.store_id = g.store_id and r.entity = 'gift-program' and r.id = g.program_id;
