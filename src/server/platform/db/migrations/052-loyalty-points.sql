-- What the store's loyalty app said last of the points of a subscription's customer, for e-mails: an app can't be asked while one is written.
alter table contracts add column loyalty_points integer, add column loyalty_points_at timestamptz;
