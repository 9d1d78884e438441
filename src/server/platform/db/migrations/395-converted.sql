-- Figures convert many rows: an amount stands once in it, so that the database works it out in place, and powers of ten are written down.
create function converted(amount bigint, code text, rate numeric, own text) returns bigint language sql immutable parallel safe as $$
  select coalesce(round(round(amount * rate * case minor_digits(own) - minor_digits(code) when 0 then 1 when 2 then 100 when -2 then 0.01
    when 1 then 10 when -1 then 0.1 else 10::numeric ^ (minor_digits(own) - minor_digits(code)) end, 8))::bigint, 0)
$$;
create or replace function booked(amount bigint, code text, rate numeric, own text)
  returns bigint language sql immutable parallel safe as $$
  select case when code = own then amount else converted(amount, code, rate, own) end
$$;
