// The door of the engine: what features, jobs and calls use of it. Nothing else of it is imported from outside (`npm run check` holds
// this).
export { type Acted, act } from './actions/act.ts';
export { beginRefund, refundable, takeRefund, unsettledRefunds } from './charging/refund.ts';
export { followDispute, type OrderDispute } from './charging/dispute.ts';
export { followRefunds } from './charging/refunds-elsewhere.ts';
export { NAMED_ORDER, NOTHING_CHANGES, type RowValues, type SubscriptionAction, namedOrder, skip } from './actions/action.ts';
export { checkInput, fieldsOf, formOf, readInput } from './actions/action-input.ts';
export { applyTo, mailsOf, prepare, refusalByState } from './actions/apply.ts';
export { ACTIONS, accessFor, actionOf, linkOf, nameLine, offeredAction, offeredActions, statesOf } from './actions/catalogue.ts';
export { type CustomerForm, type Given, customerForm, noonOf } from './actions/customer-form.ts';
export { type Change, changesOf, sideOf } from './actions/describe-changes.ts';
export {
  type Acting,
  type ActingHandler,
  callOfAction,
  change,
  changeOthers,
  handlerOfCall,
  ordersIn,
  refuseMore,
} from './actions/call-of-action.ts';
export { idByShopifyId } from './actions/named-subscription.ts';
export { hasChanged, perform, performOne } from './actions/perform.ts';
export { type KeptAction, type Place, actionErrors, actionIn, actionsIn, filledIn, needsOfAction } from './actions/placed-actions.ts';
export { type Reward, rewardAction, rewardErrors } from './actions/reward.ts';
export { type ActionResult, type ActionSource, checkParams, runAction } from './actions/run-action.ts';
export {
  pauseAsAsked,
  pauseUntil,
  reactivateAsAsked,
  startAgain,
  firstOrderAt,
  type PauseInput,
  type ReactivateInput,
} from './edits/state-changes.ts';
export { type Outcome, type PriceSettings, recomputeShipping, updatePrices } from './edits/store-prices.ts';
export {
  CARD_LINK,
  CARD_LINK_PATH,
  CONFIRM_LINK_PATH,
  cardLink,
  LINK_DAYS,
  LINK_NAMES,
  type Link,
  SIGNATURE,
  genuineLink,
  languageBehind,
  confirmLink,
  linkBase,
  linkPath,
  linkToken,
  visitedAddress,
} from './action-links.ts';
export {
  type Aggregate,
  LAST_CYCLE,
  group,
  isUsable,
  loadAggregates,
  methodById,
  momentOf,
  orderById,
  orderIdOf,
  ordersThatMatter,
} from './aggregate.ts';
export { type HeldBundle, groupsOfBundles, heldBundles, keepBundles, linesOfBundle } from './bundles.ts';
export { differs, touchesFacts } from './changes.ts';
export { shortestPlan } from './charging/shortest-plan.ts';
export { takeCharges } from './charging/charge.ts';
export { confirmPayment, lookUpNow, orderToConfirm } from './charging/confirm.ts';
export { type CameWith } from './charging/declined-links.ts';
export { placeDue, unsettledOf } from './charging/due.ts';
export { type OrderedNow, chargeAgain, orderedNow, pricedAhead, pricedNext } from './charging/next-charge.ts';
export { ordersAhead, type UnitsAhead } from './charging/orders-ahead.ts';
export { type ChargedBy, type PendingCharge } from './charging/place-order.ts';
export { moveClock, remind, runDue } from './charging/run-due.ts';
export { type RetryState, retryOf } from './charging/stock.ts';
export { retagCustomers, subscriptionTags } from './charging/tags.ts';
export { type EngineContext, engineOf } from './context.ts';
export { type CustomerContext, type Say, asCustomer, speaking } from './customer-pages.ts';
export { engineBehind, engineForJob } from './system-context.ts';
export { contractView, readContract } from './contract-response.ts';
export { hasDeliveryDays, mayDeliverAt, onOpenDay } from './delivery/open-days.ts';
export {
  mustBeDelivered,
  optionsFor,
  othersAtAddress,
  updateLocalDeliveryAddress,
  updateShippingDetails,
} from './delivery/contract-delivery.ts';
export { deliveryOptions, detailsOf, parcelOf, pickupOptions, recurringShippingPrice, wireOption } from './delivery/delivery-options.ts';
export { addCard } from './edits/add-card.ts';
export {
  type Catalogue,
  type OfferedPlan,
  type SoldVariant,
  findVariants,
  hasFrequency,
  planWords,
  plansOfVariants,
  policyOfPlan,
  readCatalogue,
  readPlanGroups,
} from './edits/catalogue.ts';
export { type PricedBasket, checkOut, priceBasket } from './edits/check-out.ts';
export { buildContract, createContract } from './edits/create-contract.ts';
export { type Besides, type NewContract } from './edits/new-contract.ts';
export { commonPlans } from './edits/plan-of-contract.ts';
export { type NewDiscount, addDiscount, toContractCurrency, removeDiscount } from './edits/discounts.ts';
export {
  type BillingDetails,
  type BillingPolicy,
  recalculateDiscounts,
  updateBillingDetails,
  updateCycles,
  updateSellingPlan,
} from './edits/frequency.ts';
export { type Priced, type Pricing, priceVariant, quantityOf, saleable } from './edits/line-prices.ts';
export {
  type Swap,
  addLine,
  cycleFor,
  lineOf,
  makeLine,
  mustFillOrders,
  mustNotPayAhead,
  removeLine,
  swapLine,
  undoOneTime,
  updatePrice,
} from './edits/lines.ts';
export { applyDateFields, applyTerms, placeOf } from './edits/order-schedule.ts';
export { chargeNow, reschedule, rescheduleDelivery, skipOrder } from './edits/orders.ts';
export {
  brief,
  removeBackup,
  requestUpdate,
  retryWithNewMethod,
  sendPortalLink,
  switchBackup,
  updateMethod,
  wireMethod,
} from './edits/payment-methods.ts';
export { deleteLine } from './edits/remove-line.ts';
export { type Upgrade, type UpgradeType, upgrade } from './edits/upgrade.ts';
export { ERASED_NAME, erasedEmail, isErased, refuseErased } from './erased.ts';
export { whyFailed } from './failure-words.ts';
export { checkOutGift, priceGift } from './gifts/check-out-gift.ts';
export { type GiftPurchase, type SoldGift, giftErrors, giftSold } from './gifts/gift-purchase.ts';
export { type Program, programOf, programsOn } from './gifts/gift-programs.ts';
export { keepGiftTimes } from './gifts/gift-times.ts';
export { sendGiftAgain } from './gifts/gift-mails.ts';
export { GIFT, GIFT_PATH, giftAccess, giftLinkGoodFor, giftsOf, isGift, ordersLeft, refusalOfGift } from './gifts/gift.ts';
export { thank } from './gifts/thanks.ts';
export { BEING_PROCESSED, LAST_PRODUCT, isBeingCharged } from './guards.ts';
export { mailSpeech } from './mail-speech.ts';
export { mailReward, toCustomer } from './mails.ts';
export { contractVariables, messageVariables } from './message-variables.ts';
export { lastAttempt, orderView, scheduleView, wireAttempt } from './orders-response.ts';
export { tellMethodAdded, tellMethodsUpdated } from './payment-method-events.ts';
export {
  GIFTS_GIVEN_PATH,
  PORTAL_PATH,
  type PortalConfig,
  giftsGivenLink,
  giftsGivenPath,
  hasPortal,
  madeAt,
  mustHavePortal,
  pathOf,
  portalBase,
  portalLink,
  portalSettings,
  validFor,
  whyNoPortal,
} from './portal-link.ts';
export { leadingContract, newestGift, portalLetter } from './portal-letter.ts';
export {
  labelOf,
  linesOfOrder,
  nameOf,
  nameOfVariant,
  pieceInCharge,
  policyOf,
  presentPiece,
  presentValue,
  refreshContract,
} from './price.ts';
export { productsInWords, productsRead, productsReadOf } from './products-read.ts';
export {
  type AttemptRow,
  type ContractRow,
  type CustomerRow,
  type DiscountRow,
  type GiftRow,
  type LineRow,
  type MethodRow,
  type OrderRow,
  changedColumns,
  insertMany,
  newIds,
  publicOrderId,
} from './rows.ts';
export { type Runtime, type Transact, isOutage, transactIn } from './runtime.ts';
export {
  atChosenTime,
  billingOf,
  deliveryOf,
  nextPlanned,
  oneIntervalAfter,
  rebase,
  scheduleOf,
  syncSchedule,
  upcomingOrders,
} from './schedule.ts';
export { type EngineSettings, readSettings } from './settings.ts';
export { refusalOfWay } from './prepaid.ts';
export { EDITS, STATUSES, STATUS_CODES, type Status, refusalIn, refusalOf } from './states.ts';
export { cancel, dunningOf, epoch, pause, resume } from './status.ts';
export { UnitOfWork } from './unit-of-work.ts';
export * as settling from './charging/unclear-charge.ts';
export * as delivery from './delivery/contract-delivery.ts';
export * as details from './edits/details.ts';
export * as discounts from './edits/discounts.ts';
export * as lines from './edits/lines.ts';
export * as orders from './edits/orders.ts';
export * as status from './status.ts';
