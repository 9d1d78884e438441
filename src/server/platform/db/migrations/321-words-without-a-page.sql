-- Texts that no page says are gone: another one says the same where it is said (docs/decisions.md). What stores wrote for them goes with
-- them, and with it what nobody could read.
delete from texts where owner_kind in ('store', 'theme') and key in (
  'cardLine', 'paymentHeading', 'updatePayment', 'updatePaymentText', 'updatePaymentSent', 'billingAddressHeading', 'billingSameAsDelivery',
  'billingAddressSaved', 'signOut', 'taxes', 'a11ySkipToContent', 'a11yMainNavigation', 'a11yLanguageMenu', 'a11yOpensInNewWindow',
  'a11yProductImage', 'a11yCloseDialog', 'a11yOpenMenu', 'a11yCalendar', 'a11yCardLogo', 'a11yLoading', 'a11yLoaded', 'a11ySaved',
  'a11yQuantityChanged', 'zapietNoPickup', 'zapietChooseTime', 'zapietTimeLine', 'zapietDateRequired', 'zapietTimeRequired',
  'portalPaymentFailed', 'cancelled', 'close', 'loading', 'portalCancelAfter');
-- Words of the theme and of translations that name what is not known there any more.
delete from texts where key = 'zapietDateChanged' and value like '%delivery_slot%';
