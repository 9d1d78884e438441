// Generated from src/server/platform/db/migrations by scripts/generate.ts. Do not edit.
import type { ColumnType } from 'kysely';

/** Any JSON value; the schemas say which. */
export type Json = ColumnType<any, unknown, unknown>; // any: jsonb is narrowed where it is read
export type Generated<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;

export interface AccountLogTable {
  store_id: number;
  id: Generated<number>;
  action: string;
  category: string;
  description: Generated<string>;
  entity: Generated<string>;
  entity_id: Generated<string>;
  user_id: number | null;
  user_email: Generated<string>;
  source: Generated<string>;
  ip: string | null;
  request_id: string | null;
  before: Json | null;
  after: Json | null;
  created_at: Generated<Date>;
}

export interface AlertLogsTable {
  store_id: number;
  id: Generated<number>;
  alert_id: number;
  type_key: string;
  event: string;
  by_user: Generated<string>;
  affected_count: Generated<number>;
  note: Generated<string>;
  at: Generated<Date>;
}

export interface AlertTypesTable {
  store_id: number;
  type_key: string;
  is_on: Generated<boolean>;
  last_checked_at: Date | null;
}

export interface AlertsTable {
  store_id: number;
  id: Generated<number>;
  type_key: string;
  title: string;
  summary: string;
  category: string;
  severity: string;
  status: Generated<string>;
  affected_count: Generated<number>;
  entity_type: Generated<string>;
  impact: Json;
  recommended_action: Json | null;
  resolving: Json | null;
  error: string | null;
  created_at: Generated<Date>;
  last_checked_at: Generated<Date>;
  resolved_at: Date | null;
  resolved_by: string | null;
  resolution: string | null;
}

export interface ApiTokenRatesTable {
  store_id: number;
  token_id: number;
  count: string;
  free_at: Date;
}

export interface ApiTokensTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  name: string;
  type: Generated<string>;
  status: Generated<string>;
  scopes: Json;
  masked_token: Generated<string>;
  token_hash: Uint8Array | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  updated_by: Generated<string>;
  updated_at: Generated<Date>;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export interface BillingAttemptsTable {
  store_id: number;
  id: Generated<number>;
  order_id: number;
  contract_id: number;
  attempt_number: number;
  trigger: string;
  started_by: string | null;
  idempotency_key: string;
  payment_method_id: number | null;
  is_backup: Generated<boolean>;
  amount: number;
  currency_code: string;
  ready: Generated<boolean>;
  success: boolean | null;
  error_code: string | null;
  error_message: string | null;
  error_category: string | null;
  next_action_url: string | null;
  gateway_reference: string | null;
  created_at: Generated<Date>;
  completed_at: Date | null;
  gateway: Generated<string>;
  look_up_at: Date | null;
  rate: string | null;
  method_type: string | null;
  method_brand: string | null;
  is_estimated: Generated<boolean>;
}

export interface BulkActionRowsTable {
  store_id: number;
  bulk_action_id: number;
  position: number;
  contract_id: number | null;
  given: string | null;
  values: Json | null;
  status: Generated<string>;
  reason: string | null;
  before: string | null;
  after: string | null;
  order_id: number | null;
  tries: Generated<number>;
  not_before: Date | null;
  processed_at: Date | null;
  version: number | null;
  undo: Json | null;
}

export interface BulkActionsTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  action_key: string;
  label: Generated<string>;
  status: Generated<string>;
  input: Json;
  selection: Json;
  is_system: Generated<boolean>;
  run_id: number | null;
  retry_of: number | null;
  total: Generated<number>;
  processed: Generated<number>;
  succeeded: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  not_found: Generated<number>;
  error: string | null;
  acting_user_id: number | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  scheduled_at: Date | null;
  queued_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  updated_at: Generated<Date>;
  undo_of: number | null;
  undone_by: number | null;
}

export interface CampaignMembersTable {
  store_id: number;
  campaign_id: number;
  contract_id: number;
  id: Generated<number>;
  letter: string | null;
  dedupe_key: Generated<string | null>;
  result: Generated<string>;
}

export interface CancellationAttemptsTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number;
  customer_id: number;
  source: string;
  is_arl: Generated<boolean>;
  benefit_id: number | null;
  benefit_outcome: string | null;
  reason_id: number | null;
  reason: string | null;
  treatment: string | null;
  treatment_outcome: string | null;
  offer_id: number | null;
  offer_outcome: string | null;
  outcome: Generated<string>;
  variants: Json;
  order_value: Generated<number>;
  completed_orders: Generated<number>;
  started_at: Date;
  finished_at: Date | null;
  comment: string | null;
}

export interface CardSetupsTable {
  store_id: number;
  id: Generated<number>;
  gateway: string;
  contract_id: number;
  customer_id: number;
  others: Generated<boolean>;
  reference: string | null;
  provider_customer: string | null;
  status: Generated<string>;
  payment_method_id: number | null;
  created_at: Generated<Date>;
  look_up_at: Generated<Date>;
  settled_at: Date | null;
}

export interface CardVaultSessionsTable {
  store_id: number;
  id: string;
  brand: string;
  last_digits: string;
  name: string;
  expiry_month: number;
  expiry_year: number;
  gateway_token: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

export interface CheckoutUpgradeEventsTable {
  store_id: number;
  id: Generated<number>;
  upgrade_id: number;
  kind: string;
  at: Date;
}

export interface CheckoutVisitsTable {
  store_id: number;
  link_id: number;
  day: string;
  visits: Generated<number>;
}

export interface CollectionProductsTable {
  store_id: number;
  collection_id: number;
  product_id: number;
  position: Generated<number>;
}

export interface CollectionsTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: number;
  title: string;
  type: Generated<string>;
  image: string | null;
  seed_status: Generated<string>;
  sync_status: Generated<string>;
  sync_done: Generated<number>;
  sync_total: Generated<number>;
  sync_error: string | null;
  acting_user_id: number | null;
  last_synced_at: Date | null;
}

export interface ContractDiscountsTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number;
  kind: string;
  title: string;
  code: string | null;
  type: string;
  value: string | null;
  applies_on_each_item: Generated<boolean>;
  target_type: Generated<string>;
  line_ids: Generated<number[]>;
  order_limit: number | null;
  usage_count: Generated<number>;
  rejection_reason: string | null;
  created_at: Generated<Date>;
}

export interface ContractLinesTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number;
  shopify_id: string;
  product_id: number | null;
  variant_id: number | null;
  product_title: string;
  variant_title: Generated<string>;
  sku: Generated<string>;
  image: string | null;
  quantity: number;
  base_price: number;
  price: number;
  price_is_manual: Generated<boolean>;
  pricing_policy: Json | null;
  selling_plan_id: number | null;
  plan_group_id: number | null;
  selling_plan_name: string | null;
  selling_plan_group_name: string | null;
  attributes: Json;
  one_time_added: Generated<boolean>;
  one_time_removed_cycle: number | null;
  one_time_cycle: number | null;
  is_upsell: Generated<boolean>;
  bundle_transaction_id: string | null;
  weight_in_grams: Generated<number>;
  requires_shipping: Generated<boolean>;
  taxable: Generated<boolean>;
  position: Generated<number>;
  created_at: Generated<Date>;
}

export interface ContractSpansTable {
  store_id: number;
  contract_id: number;
  from_at: Date;
  until_at: Generated<Date>;
  customer_id: number;
  created_at: Date;
  source: string;
  currency_code: string;
  country_code: string;
  frequency: string;
  is_prepaid: boolean;
  is_returning: boolean;
  plan_group_ids: number[];
  product_ids: number[];
  variant_ids: number[];
  is_estimated: Generated<boolean>;
}

export interface ContractsTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: number;
  version: Generated<number>;
  status: Generated<string>;
  source: Generated<string>;
  customer_id: number;
  origin_order_shopify_id: number | null;
  currency_code: string;
  billing_interval: string;
  billing_interval_count: number;
  delivery_interval: string;
  delivery_interval_count: number;
  min_cycles: number | null;
  max_cycles: number | null;
  anchor_type: string | null;
  anchor_day: number | null;
  anchor_month: number | null;
  cut_off_days: number | null;
  pre_anchor_behavior: string | null;
  base_at: Date | null;
  base_hour: number | null;
  base_cycle: Generated<number>;
  next_cycle: Generated<number>;
  next_billing_at: Date | null;
  schedule_type: Generated<string>;
  charge_offset_days: Generated<number>;
  billing_days: Generated<number[]>;
  date_fields: Json | null;
  resume_at: Date | null;
  completed_orders: Generated<number>;
  is_prepaid: Generated<boolean>;
  prepaid_credits: Generated<number>;
  is_marked_for_cancellation: Generated<boolean>;
  has_custom_plan: Generated<boolean>;
  has_discount: Generated<boolean>;
  delivery_price: Generated<number>;
  delivery_method: Json | null;
  shipping_address: Json | null;
  payment_method_id: number | null;
  backup_payment_method_id: number | null;
  note: Generated<string>;
  custom_attributes: Json;
  dunning: Json | null;
  next_charge: number | null;
  successive_failed_cycles: Generated<number>;
  last_payment_status: string | null;
  last_payment_category: string | null;
  last_inventory_action: string | null;
  cancellation_reason: string | null;
  cancellation_comment: string | null;
  cancellation_source: string | null;
  paused_at: Date | null;
  cancelled_at: Date | null;
  expired_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  customer_name: Generated<string>;
  customer_email: Generated<string>;
  country_code: Generated<string>;
  delivery_type: Generated<string>;
  frequency: Generated<string>;
  products_label: Generated<string>;
  total: Generated<number>;
  subtotal: Generated<number>;
  product_ids: Generated<number[]>;
  variant_ids: Generated<number[]>;
  plan_group_ids: Generated<number[]>;
  tags: Generated<string[]>;
  search: Generated<string>;
  next_order_note: Generated<string>;
  external_id: string | null;
  customer_locale: string | null;
  loyalty_points: number | null;
  loyalty_points_at: Date | null;
  recurring_charge: number | null;
  bundles: Json | null;
  bundle_ids: number[] | null;
  customer_first_name: Generated<string>;
  is_returning: Generated<boolean>;
}

export interface ContractsPutOffTable {
  store_id: number;
  contract_id: number;
  since: Date;
  until: Date;
}

export interface CountersTable {
  store_id: number;
  name: string;
  key: string;
  shard: number;
  n: Generated<number>;
}

export interface CreditTransactionsTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number;
  type: string;
  credits: number;
  balance_after: number;
  order_id: number | null;
  reason: Generated<string>;
  created_by: Generated<string>;
  created_at: Generated<Date>;
}

export interface CustomerAddressesTable {
  store_id: number;
  id: Generated<number>;
  customer_id: number;
  is_default: Generated<boolean>;
  address: Json;
}

export interface CustomersTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: number;
  email: string;
  first_name: Generated<string>;
  last_name: Generated<string>;
  name: Generated<string>;
  phone: string | null;
  country_code: Generated<string>;
  tags: Generated<string[]>;
  portal_token: Generated<string>;
  search: Generated<string>;
  version: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  active_subscriptions_count: Generated<number>;
  paused_subscriptions_count: Generated<number>;
  cancelled_subscriptions_count: Generated<number>;
  all_subscriptions_count: Generated<number>;
  failing_subscriptions_count: Generated<number>;
  subscriber_status: Generated<string>;
  has_failed_payment: Generated<boolean>;
  erased_at: Date | null;
  locale: string | null;
}

export interface DeliveriesTable {
  store_id: number;
  id: Generated<number>;
  sender: string;
  target: string;
  subject: string;
  event_id: number | null;
  topic: string;
  payload: Json;
  state: Generated<string>;
  attempts: Generated<number>;
  next_at: Generated<Date>;
  give_up_at: Generated<Date>;
  request: Json | null;
  answer: Json | null;
  status: number | null;
  error: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
  keep_until: Generated<Date>;
}

export interface EmailDomainsTable {
  store_id: number;
  id: Generated<number>;
  domain: string;
  from_email: string;
  status: Generated<string>;
  is_default: Generated<boolean>;
  records: Json;
  last_checked_at: Date | null;
  verified_at: Date | null;
  version: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface EventCursorsTable {
  store_id: number;
  consumer: string;
  epoch: Generated<number>;
  transaction_id: Generated<string>;
  event_id: Generated<number>;
  moved_at: Generated<Date>;
}

export interface EventEpochTable {
  only_row: Generated<boolean>;
  epoch: number;
}

export interface EventFailuresTable {
  store_id: number;
  consumer: string;
  event_id: number;
  attempts: Generated<number>;
  reason: string;
  retry_at: Date | null;
  failed_at: Generated<Date>;
}

export interface EventQueueTable {
  store_id: number;
  epoch: Generated<number>;
  transaction_id: Generated<string>;
  event_id: number;
  queued_at: Generated<Date>;
}

export interface EventsTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number | null;
  key: string;
  source: string;
  entity: Generated<string>;
  data: Json;
  created_at: Generated<Date>;
  subject: Generated<string>;
  subject_id: number | null;
  messages: Generated<string>;
}

export interface FilesTable {
  store_id: number;
  id: Generated<number>;
  name: string;
  content_type: string;
  size: number;
  sha256: string;
  content: Uint8Array;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  is_public: Generated<boolean>;
}

export interface FlowRunsTable {
  store_id: number;
  id: Generated<number>;
  flow_id: number;
  flow_name: string;
  contract_id: number;
  event_id: number;
  order_id: number | null;
  trigger: string;
  status: string;
  results: Json;
  is_once: Generated<boolean>;
  chain: Json;
  tries: Generated<number>;
  started_at: Date;
}

export interface GatewayChargesTable {
  store_id: number;
  idempotency_key: string;
  token: string;
  amount: number;
  currency_code: string;
  outcome: Json;
  at: Generated<Date>;
}

export interface GatewayRefundsTable {
  store_id: number;
  idempotency_key: string;
  charge_reference: string;
  amount: number;
  at: Generated<Date>;
}

export interface GiftsTable {
  store_id: number;
  id: number;
  program_id: number;
  plan_id: string;
  plan_label: string;
  status: string;
  recipient_first_name: string;
  recipient_last_name: string;
  recipient_email: string;
  recipient_phone: string | null;
  sender_name: string;
  message: Generated<string>;
  thanks_message: Generated<string>;
  thanked_at: Date | null;
  note: Generated<string>;
  total_orders: number;
  paid_amount: number;
  start_at: Date;
  received_at: Date | null;
  farewell_at: Date | null;
  portal_token: string;
  created_at: Date;
  updated_at: Date;
  version: Generated<number>;
  customer_id: number;
  giver_name: Generated<string>;
  giver_email: Generated<string>;
  products: Generated<string>;
  currency_code: string;
  completed_orders: Generated<number>;
  next_order_at: Date | null;
  completed_at: Date | null;
  recipient_name: Generated<string | null>;
  program_name: Generated<string>;
  search: Generated<string | null>;
}

export interface IdempotencyKeysTable {
  store_id: number;
  user_id: number;
  key: string;
  request_hash: Uint8Array;
  status: number | null;
  answer: Json | null;
  created_at: Generated<Date>;
}

export interface IncomingEventsTable {
  store_id: number;
  kind: string;
  event_id: string;
  type: string;
  subject: Json;
  status: Generated<string>;
  tries: Generated<number>;
  try_at: Generated<Date>;
  created_at: Generated<Date>;
  done_at: Date | null;
}

export interface IntegrationsTable {
  store_id: number;
  key: string;
  category: Generated<string>;
  status: Generated<string>;
  settings: Json;
  muted: Generated<string[]>;
  instead: Generated<string[]>;
  connected_at: Date | null;
  connected_by: Generated<string>;
  last_sync_at: Date | null;
  last_error: string | null;
  refusals: Generated<number>;
  oauth_state: string | null;
  oauth_until: Date | null;
  updated_at: Generated<Date>;
}

export interface LinkEventsTable {
  store_id: number;
  id: Generated<number>;
  kind: string;
  action_id: number;
  contract_id: number;
  happened: string;
  day: string;
  link: string | null;
  rewarded: Generated<boolean>;
  sentence: Generated<string>;
  value: Generated<number>;
  created_at: Date;
  order_id: number | null;
  draw: number | null;
}

export interface LoginAttemptsTable {
  key: string;
  at: Generated<Date>;
}

export interface LoginLinksTable {
  store_id: number;
  token_hash: Uint8Array;
  user_id: number;
  expires_at: Date;
  used_at: Date | null;
  created_at: Generated<Date>;
}

export interface LoyaltyRedemptionsTable {
  store_id: number;
  id: Generated<number>;
  contract_id: number;
  app: string;
  email: string;
  reward_id: string;
  title: string;
  points: string;
  status: Generated<string>;
  discount_id: number | null;
  error: string | null;
  created_by: Generated<string>;
  created_at: Date;
  asked_at: Generated<Date>;
}

export interface MailAttachmentsTable {
  store_id: number;
  outbox_id: number;
  no: number;
  name: string;
  content_type: string;
  cid: string | null;
  content: Uint8Array;
  created_at: Generated<Date>;
}

export interface MailBlocksTable {
  store_id: number;
  id: Generated<number>;
  address: string;
  reason: string;
  detail: Generated<string>;
  outbox_id: number | null;
  created_by: Generated<string>;
  created_at: Date;
  version: Generated<number>;
}

export interface MovementDaysTable {
  store_id: number;
  day: string;
  kind: string;
  origin: string;
  shard: number;
  movements: number;
  running: number;
  active: number;
  mrr: number;
}

export interface MovementReasonsTable {
  store_id: number;
  id: Generated<number>;
  text: string;
}

export interface MovementsTable {
  store_id: number;
  contract_id: number;
  change_no: number;
  row_no: number;
  line_id: number | null;
  customer_id: number;
  at: Date;
  day: string;
  began_on: string;
  kind: string;
  status_before: string | null;
  status_after: string;
  runs_before: boolean;
  runs_after: boolean;
  value: number;
  mrr_before: number;
  mrr_after: number;
  currency_code: string;
  rate: string | null;
  booked_before: number;
  booked_after: number;
  completed_orders: number;
  reason_id: number | null;
  source: string;
  origin: string;
  product_id: number | null;
  variant_id: number | null;
  plan_group_id: number | null;
  country_code: string;
  frequency: string;
  is_estimated: Generated<boolean>;
  id: Generated<number>;
  mrr_change: Generated<number>;
  is_prepaid: boolean;
}

export interface NoticeMarksTable {
  store_id: number;
  user_id: number;
  kind: string;
  key: string;
  state: string;
  at: Generated<Date>;
}

export interface OfferEventsTable {
  store_id: number;
  id: Generated<number>;
  kind: string;
  profile_id: Generated<number>;
  contract_id: number;
  happened: string;
  place: string;
  day: string;
  is_once: Generated<boolean>;
  from_variant_id: number | null;
  to_variant_id: number | null;
  quantity: Generated<number>;
  value_before: Generated<number>;
  value_after: Generated<number>;
  monthly_change: Generated<number>;
  created_at: Date;
}

export interface OnboardingStagesTable {
  store_id: number;
  stage_key: string;
  completed_at: Date | null;
  skipped_at: Date | null;
}

export interface OrdersTable {
  store_id: number;
  id: number;
  contract_id: number;
  customer_id: number;
  cycle: number;
  order_number: number;
  shopify_id: number | null;
  shopify_order_number: number | null;
  status: string;
  order_type: Generated<string>;
  is_prepaid_delivery: Generated<boolean>;
  is_rescheduled: Generated<boolean>;
  scheduled_at: Date;
  billing_at: Date;
  delivery_at: Date;
  processed_at: Date | null;
  currency_code: string;
  subtotal: Generated<number>;
  discount: Generated<number>;
  shipping: Generated<number>;
  tax: Generated<number>;
  total: Generated<number>;
  total_usd: Generated<number>;
  refunded: Generated<number>;
  lines: Json;
  omitted_lines: Json;
  shipping_address: Json | null;
  custom_attributes: Json;
  note: Generated<string>;
  tags: Generated<string[]>;
  skip_reason: string | null;
  error_code: string | null;
  error_message: string | null;
  error_category: string | null;
  attempts: Generated<number>;
  next_retry_at: Date | null;
  retry: Json | null;
  idempotency_key: string | null;
  fulfillment_status: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  came_with: Json | null;
  unclear_since: Date | null;
  refunding: Generated<number>;
  charged: Json | null;
  dispute: Json | null;
  rate: string | null;
  is_estimated: Generated<boolean>;
}

export interface OutboxTable {
  store_id: number;
  id: Generated<number>;
  dedupe_key: string | null;
  template: string;
  recipient: string;
  subject: string;
  text: string;
  html: Generated<string>;
  contract_id: number | null;
  send_after: Generated<Date>;
  claimed_at: Date | null;
  attempts: Generated<number>;
  sent_at: Date | null;
  failed_reason: string | null;
  created_at: Generated<Date>;
  branding_version: number | null;
  sent_from: string | null;
  copies: Generated<string[]>;
  open_key: string | null;
  opened_at: Date | null;
  resends: number | null;
  status: Generated<string | null>;
  by_hand: Generated<boolean>;
  language: Generated<string>;
  returned: string | null;
  send_before: Date | null;
}

export interface PaymentMethodsTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: string;
  customer_id: number;
  type: Generated<string>;
  brand: Generated<string>;
  last_digits: string | null;
  name: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
  paypal_account_email: string | null;
  gateway_token: string;
  inactive: Generated<boolean>;
  revoked_at: Date | null;
  revoked_reason: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface PaymentMigrationsTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  provider: string;
  customer_id: number;
  provider_customer_id: Generated<string>;
  provider_payment_id: string;
  status: Generated<string>;
  reason: string | null;
  error: string | null;
  payment_method_id: number | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface PaymentProvidersTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  provider: string;
  account_id: string;
  api_key: Generated<string>;
  status: Generated<string>;
  error: string | null;
  connected_at: Date | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  charges: Generated<boolean>;
  webhook_secret: Generated<string>;
}

export interface PlanCollectionsTable {
  store_id: number;
  group_id: number;
  collection_id: number;
  created_at: Generated<Date>;
}

export interface PlanProductsTable {
  store_id: number;
  group_id: number;
  product_id: number;
  variant_id: number | null;
  collection_id: number | null;
  created_at: Generated<Date>;
}

export interface PlatformChangesTable {
  store_id: number;
  kind: string;
  platform_id: string;
  told_at: Date;
}

export interface PlatformDifferencesTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  kind: string;
  subject_id: number;
  platform_id: string;
  contract_id: number | null;
  name: string;
  fact: string;
  here: string;
  there: string;
  owed: string | null;
  state: Generated<string>;
  tries: Generated<number>;
  try_at: Generated<Date>;
  error: string | null;
  created_at: Date;
}

export interface PlatformIdsTable {
  store_id: number;
  kind: string;
  id: number;
  platform_id: string;
  seen_at: Date;
  was_here: Generated<boolean>;
  offered: string | null;
  agreed: Json | null;
}

export interface PlatformOrdersTable {
  store_id: number;
  id: number;
  version: Generated<number>;
  contract_id: number;
  state: Generated<string>;
  tries: Generated<number>;
  try_at: Generated<Date>;
  error: string | null;
  platform_id: string | null;
  number: string | null;
  created_at: Date;
  made_at: Date | null;
  there: string | null;
  refunded_there: Generated<number>;
}

export interface PlatformPurchasesTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  platform_id: string;
  number: string;
  plan: string;
  state: Generated<string>;
  tries: Generated<number>;
  try_at: Generated<Date>;
  error: string | null;
  contract_id: number | null;
  created_at: Date;
  made_at: Date | null;
}

export interface PlatformRefundsTable {
  store_id: number;
  id: number;
  version: Generated<number>;
  order_id: number;
  contract_id: number;
  amount: number;
  currency_code: string;
  state: Generated<string>;
  tries: Generated<number>;
  try_at: Generated<Date>;
  error: string | null;
  platform_id: string | null;
  created_at: Date;
  made_at: Date | null;
}

export interface PopupsTable {
  store_id: number;
  id: number;
  header: string;
  body: string;
  primary_cta_text: string;
  primary_cta_link: string;
  page: string | null;
  show_until: Date | null;
  created_at: Generated<Date>;
  created_by: Generated<string>;
}

export interface ProductsTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: number;
  handle: string;
  title: string;
  vendor: Generated<string>;
  product_type: Generated<string>;
  description: Generated<string>;
  status: Generated<string>;
  tags: Generated<string[]>;
  image: string | null;
  options: Json;
  is_gift_card: Generated<boolean>;
  search: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
  metafields: Json;
}

export interface RecordHistoryTable {
  store_id: number;
  entity: string;
  id: number;
  version: number;
  data: Json;
  at: Generated<Date>;
  by: string;
}

export interface RecordsTable {
  store_id: number;
  entity: string;
  id: Generated<number>;
  version: Generated<number>;
  position: number | null;
  data: Json;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  updated_by: Generated<string>;
  deleted_at: Date | null;
}

export interface RefundsTable {
  store_id: number;
  id: Generated<number>;
  order_id: number;
  contract_id: number;
  gateway: string;
  charge_reference: string;
  idempotency_key: string;
  amount: number;
  currency_code: string;
  reason: Generated<string>;
  created_by: Generated<string>;
  status: Generated<string>;
  gateway_reference: string | null;
  error_message: string | null;
  created_at: Generated<Date>;
  look_up_at: Date | null;
  settled_at: Date | null;
}

export interface RemindersTable {
  store_id: number;
  contract_id: number;
  kind: string;
  subject: string;
  sent: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface ReportExportPiecesTable {
  store_id: number;
  export_id: number;
  no: number;
  content: Uint8Array;
  created_at: Generated<Date>;
}

export interface ReportExportsTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  report: string;
  status: Generated<string>;
  rows_written: Generated<number>;
  file_size: Generated<number>;
  requested_by: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  updated_by: Generated<string>;
  finished_at: Date | null;
  file_name: Generated<string>;
  kept_until: Date | null;
}

export interface RunsTable {
  store_id: number;
  id: Generated<number>;
  kind: string;
  status: Generated<string>;
  input: Json;
  cursor: Json | null;
  total: Generated<number>;
  processed: Generated<number>;
  succeeded: Generated<number>;
  failed: Generated<number>;
  result: Json | null;
  error: string | null;
  acting_user_id: number | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface SecretsTable {
  store_id: number;
  table_name: string;
  column_name: string;
  record_id: string;
  sealed: string;
}

export interface SeenOnPagesTable {
  store_id: number;
  record_id: number;
  day: string;
  happened: string;
  visitor: string;
  network: string;
}

export interface SessionsTable {
  store_id: number;
  token_hash: Uint8Array;
  user_id: number;
  created_at: Generated<Date>;
  expires_at: Date;
  last_seen_at: Generated<Date>;
  revoked_at: Date | null;
  by_sso: Generated<boolean>;
}

export interface SetUpTasksTable {
  store_id: number;
  task_key: string;
  introduced_at: Date | null;
}

export interface SettingHistoryTable {
  store_id: number;
  name: string;
  version: number;
  data: Json;
  at: Generated<Date>;
  by: string;
}

export interface SettingsTable {
  store_id: number;
  name: string;
  version: Generated<number>;
  data: Json;
  updated_at: Generated<Date>;
  updated_by: Generated<string>;
}

export interface ShopCartsTable {
  store_id: number;
  id: string;
  data: Json;
  round: Generated<number>;
  network: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ShopPurchasesTable {
  store_id: number;
  id: Generated<number>;
  cart_id: string;
  round: number;
  status: string;
  attempt: Generated<number>;
  total: number;
  currency_code: string;
  data: Json;
  outcome: Json | null;
  created_at: Date;
  made_at: Generated<Date>;
  settled_at: Date | null;
  gateway: Generated<string>;
  page: string | null;
}

export interface SsoFlowsTable {
  store_id: number;
  state_hash: Uint8Array;
  nonce: string;
  verifier: string;
  expires_at: Date;
  created_at: Generated<Date>;
}

export interface StoreConnectionsTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  kind: Generated<string>;
  address: string;
  api_key: string;
  status: Generated<string>;
  error: string | null;
  hears: Generated<boolean>;
  due_at: Generated<Date | null>;
  failures: Generated<number>;
  reading: string | null;
  reading_since: Date | null;
  last_read_at: Date | null;
  last_event_at: Date | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  forgets: Generated<boolean>;
  connected_at: Generated<Date>;
  precision: Generated<number>;
  sells: Generated<boolean>;
  offered_at: Date | null;
  orders_read_at: Date | null;
}

export interface StoreThemesTable {
  store_id: number;
  id: Generated<number>;
  shopify_theme_id: number;
  version: Generated<number>;
  name: string;
  role: string;
  takes_blocks: Generated<boolean>;
  snippets: Generated<string[]>;
  updated_at: Generated<Date>;
}

export interface StorefrontChangesTable {
  store_id: number;
  id: Generated<number>;
}

export interface StorefrontFilesTable {
  store_id: number;
  name: string;
  content: string;
  replaced_at: Date | null;
}

export interface StorefrontsTable {
  store_id: number;
  content: string;
  built_at: Date;
  built_by: Generated<string>;
}

export interface StoresTable {
  id: Generated<number>;
  myshopify_domain: string;
  name: string;
  email: string;
  shop_owner: Generated<string>;
  country_code: Generated<string>;
  currency_code: Generated<string>;
  timezone: Generated<string>;
  plan_name: Generated<string>;
  billing_plan_id: Generated<number>;
  storefront_widget_version: Generated<number>;
  scopes: Generated<string[]>;
  feature_switches: Generated<string[]>;
  onboarding: Json | null;
  details: Json;
  is_demo: Generated<boolean>;
  clock_offset_ms: Generated<number>;
  created_at: Generated<Date>;
  link_secret: Generated<string>;
  charges_through: Generated<string[]>;
  seen_counted_since: Generated<Date>;
  sso_domains: Generated<string[]>;
  sso_required: Generated<boolean>;
}

export interface StreakEnrollmentsTable {
  store_id: number;
  id: Generated<number>;
  streak_id: number;
  streak_name: string;
  contract_id: number;
  customer_id: number;
  state: Generated<string>;
  step: Generated<number>;
  length: number;
  last_order: Generated<number>;
  due_at: Date | null;
  lapses_at: Date | null;
  rewards: Json;
  enrolled_at: Date;
  ended_at: Date | null;
}

export interface SubscriptionImportRowsTable {
  store_id: number;
  import_id: number;
  position: number;
  external_id: Generated<string>;
  status: string;
  wrong_columns: Generated<string>;
  message: Generated<string>;
  contract_id: number | null;
  customer_id: number | null;
}

export interface SubscriptionImportsTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  file_name: string;
  content: Uint8Array | null;
  size: Generated<number>;
  columns: Json;
  status: Generated<string>;
  total: Generated<number>;
  processed: Generated<number>;
  cursor: Generated<number>;
  importable: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  imported: Generated<number>;
  subscriptions: Generated<number>;
  error: string | null;
  acting_user_id: number | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  updated_at: Generated<Date>;
}

export interface TextVersionsTable {
  store_id: number;
  locale: string;
  owner_kind: string;
  owner_id: string;
  version: number;
  key: string;
  value: string | null;
  changed_at: Date;
  changed_by: Generated<string>;
}

export interface TextsTable {
  store_id: number;
  owner_kind: string;
  owner_id: Generated<string>;
  key: string;
  locale: string;
  value: string | null;
  draft: string | null;
  run_id: number | null;
  updated_at: Generated<Date>;
  updated_by: Generated<string>;
  version: Generated<number>;
}

export interface ThemeTemplatesTable {
  store_id: number;
  theme_id: number;
  key: string;
  name: string;
  type: string;
  position: Generated<number>;
  blocks: Generated<string[]>;
}

export interface UpgradeResetsTable {
  store_id: number;
  profile_id: number;
  last_event: number;
}

export interface UsersTable {
  store_id: number;
  id: Generated<number>;
  shopify_id: number | null;
  email: string;
  first_name: Generated<string>;
  last_name: Generated<string>;
  type: Generated<string>;
  role_id: number | null;
  permissions: Json;
  last_active_at: Date | null;
  removed_at: Date | null;
  created_at: Generated<Date>;
  invited_at: Date | null;
  role_permissions: Json | null;
  language: string | null;
  sso_subject: string | null;
}

export interface VariantsTable {
  store_id: number;
  id: Generated<number>;
  product_id: number;
  shopify_id: number;
  title: string;
  sku: Generated<string>;
  price: number;
  compare_at_price: number | null;
  position: Generated<number>;
  image: string | null;
  option_values: Json;
  inventory_management: string | null;
  inventory_policy: Generated<string>;
  inventory_quantity: Generated<number>;
  weight_in_grams: Generated<number>;
  requires_shipping: Generated<boolean>;
  taxable: Generated<boolean>;
  deleted_at: Date | null;
}

export interface WebhooksTable {
  store_id: number;
  id: Generated<number>;
  version: Generated<number>;
  address: string;
  topics: string[];
  status: Generated<string>;
  masked_secret: Generated<string>;
  old_secret_until: Date | null;
  failing_since: Date | null;
  last_delivered_at: Date | null;
  created_by: Generated<string>;
  created_at: Generated<Date>;
  updated_by: Generated<string>;
  updated_at: Generated<Date>;
}

export interface WidgetMappingsTable {
  store_id: number;
  theme_id: number;
  template_key: string;
  type: string;
  widget_id: number;
  mapped_at: Generated<Date>;
}

export interface Tables {
  account_log: AccountLogTable;
  alert_logs: AlertLogsTable;
  alert_types: AlertTypesTable;
  alerts: AlertsTable;
  api_token_rates: ApiTokenRatesTable;
  api_tokens: ApiTokensTable;
  billing_attempts: BillingAttemptsTable;
  bulk_action_rows: BulkActionRowsTable;
  bulk_actions: BulkActionsTable;
  campaign_members: CampaignMembersTable;
  cancellation_attempts: CancellationAttemptsTable;
  card_setups: CardSetupsTable;
  card_vault_sessions: CardVaultSessionsTable;
  checkout_upgrade_events: CheckoutUpgradeEventsTable;
  checkout_visits: CheckoutVisitsTable;
  collection_products: CollectionProductsTable;
  collections: CollectionsTable;
  contract_discounts: ContractDiscountsTable;
  contract_lines: ContractLinesTable;
  contract_spans: ContractSpansTable;
  contracts: ContractsTable;
  contracts_put_off: ContractsPutOffTable;
  counters: CountersTable;
  credit_transactions: CreditTransactionsTable;
  customer_addresses: CustomerAddressesTable;
  customers: CustomersTable;
  deliveries: DeliveriesTable;
  email_domains: EmailDomainsTable;
  event_cursors: EventCursorsTable;
  event_epoch: EventEpochTable;
  event_failures: EventFailuresTable;
  event_queue: EventQueueTable;
  events: EventsTable;
  files: FilesTable;
  flow_runs: FlowRunsTable;
  gateway_charges: GatewayChargesTable;
  gateway_refunds: GatewayRefundsTable;
  gifts: GiftsTable;
  idempotency_keys: IdempotencyKeysTable;
  incoming_events: IncomingEventsTable;
  integrations: IntegrationsTable;
  link_events: LinkEventsTable;
  login_attempts: LoginAttemptsTable;
  login_links: LoginLinksTable;
  loyalty_redemptions: LoyaltyRedemptionsTable;
  mail_attachments: MailAttachmentsTable;
  mail_blocks: MailBlocksTable;
  movement_days: MovementDaysTable;
  movement_reasons: MovementReasonsTable;
  movements: MovementsTable;
  notice_marks: NoticeMarksTable;
  offer_events: OfferEventsTable;
  onboarding_stages: OnboardingStagesTable;
  orders: OrdersTable;
  outbox: OutboxTable;
  payment_methods: PaymentMethodsTable;
  payment_migrations: PaymentMigrationsTable;
  payment_providers: PaymentProvidersTable;
  plan_collections: PlanCollectionsTable;
  plan_products: PlanProductsTable;
  platform_changes: PlatformChangesTable;
  platform_differences: PlatformDifferencesTable;
  platform_ids: PlatformIdsTable;
  platform_orders: PlatformOrdersTable;
  platform_purchases: PlatformPurchasesTable;
  platform_refunds: PlatformRefundsTable;
  popups: PopupsTable;
  products: ProductsTable;
  record_history: RecordHistoryTable;
  records: RecordsTable;
  refunds: RefundsTable;
  reminders: RemindersTable;
  report_export_pieces: ReportExportPiecesTable;
  report_exports: ReportExportsTable;
  runs: RunsTable;
  secrets: SecretsTable;
  seen_on_pages: SeenOnPagesTable;
  sessions: SessionsTable;
  set_up_tasks: SetUpTasksTable;
  setting_history: SettingHistoryTable;
  settings: SettingsTable;
  shop_carts: ShopCartsTable;
  shop_purchases: ShopPurchasesTable;
  sso_flows: SsoFlowsTable;
  store_connections: StoreConnectionsTable;
  store_themes: StoreThemesTable;
  storefront_changes: StorefrontChangesTable;
  storefront_files: StorefrontFilesTable;
  storefronts: StorefrontsTable;
  stores: StoresTable;
  streak_enrollments: StreakEnrollmentsTable;
  subscription_import_rows: SubscriptionImportRowsTable;
  subscription_imports: SubscriptionImportsTable;
  text_versions: TextVersionsTable;
  texts: TextsTable;
  theme_templates: ThemeTemplatesTable;
  upgrade_resets: UpgradeResetsTable;
  users: UsersTable;
  variants: VariantsTable;
  webhooks: WebhooksTable;
  widget_mappings: WidgetMappingsTable;
}
