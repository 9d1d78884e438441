-- Subscriptions can't be merged, so nothing was ever sent of the topic subscription/merged. A webhook of that topic alone is off until a topic
-- is chosen for it.
update webhooks set topics = array_remove(topics, 'subscription/merged'), version = version + 1,
  status = case when topics = array['subscription/merged'] and status = 'ON' then 'OFF' else status end
where 'subscription/merged' = any(topics);
