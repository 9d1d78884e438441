// What react-admin's controllers say, in the product's words.
import type { I18nProvider } from 'react-admin';
import { language, t } from '../../domain/text/t.ts';

export const messages: Record<string, string> = {
  'ra.notification.updated': 'Saved.',
  'ra.notification.created': 'Created.',
  'ra.notification.deleted': 'Deleted.',
  'ra.notification.http_error': t`Unable to connect to server.`,
  'ra.notification.data_provider_error': t`The data could not be read. Reload the page and try again.`,
  'ra.notification.item_doesnt_exist': t`This does not exist or was deleted.`,
  'ra.notification.bad_item': t`This does not exist or was deleted.`,
  'ra.notification.canceled': 'Undone.',
  'ra.notification.logged_out': t`Your session has ended. Sign in again.`,
  'ra.notification.not_authorized': t`You don't have permission to see this. Ask an admin of your store for it.`,
  'ra.notification.offline': t`Unable to connect to server.`,
  'ra.message.unsaved_changes': t`Your changes are not saved. Leave without saving?`,
  'ra.message.invalid_form': t`Some fields are empty or not right yet. Look at the marked ones.`,
};

export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: { _?: string }) => messages[key] ?? options?._ ?? key,
  changeLocale: () => Promise.resolve(),
  getLocale: language,
};
