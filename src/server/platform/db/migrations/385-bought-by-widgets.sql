-- Purchases by what stands on pages of a shop are counted beside what visitors saw of it: one row for each purchase.
alter table seen_on_pages drop constraint seen_on_pages_happened_check;
alter table seen_on_pages add constraint seen_on_pages_happened_check check (happened in ('SEEN', 'TOUCHED', 'BOUGHT'));
