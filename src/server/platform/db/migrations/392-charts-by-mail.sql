-- The charts that are sent each week, by when their next letter is due.
create index records_chart_mails on records (store_id)
  where entity = 'custom-chart' and deleted_at is null and data ->> 'mailNextAt' is not null;
