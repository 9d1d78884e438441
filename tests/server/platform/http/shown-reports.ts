// The same for reports and pages of figures: a report needs the areas of what it lists, a page that of its figures.
import { reportTable } from '../../../../src/contract/reports.ts';
import { productDefinitions } from '../../../support/definitions.ts';

type Places = Record<string, Record<string, string[]>>;

const OWN: Places = {
  subscriptionPaymentDetails: {
    'analytics.highRiskSubscriptions': ['data[].expiryMonth', 'data[].expiryYear', 'data[].lastDigits', 'data[].paypalAccountEmail'],
    'analytics.exportHighRiskSubscriptions': ['[].Expiry month', '[].Expiry year', '[].Last digits'],
    'report-expiring_card.list': ['data[].expiryMonth', 'data[].expiryYear', 'data[].lastDigits'],
    'report-expiring_card.export': ['[].Expiry month', '[].Expiry year', '[].Last digits'],
    'report-recovery.list': ['data[].lastDigits'],
    'report-recovery.export': ['[].Expiry month', '[].Expiry year', '[].Last digits'],
    'report-upcoming_order.list': ['data[].expiryMonth', 'data[].expiryYear', 'data[].lastDigits'],
    'report-upcoming_order.export': ['[].Expiry month', '[].Expiry year', '[].Last digits'],
  },
  orderNotesAndAttributes: {
    'analytics.exportCancelledSubscriptions': ['[].Note'],
    'report-cancellation_log.export': ['[].Note'],
    'report-paused_subscription.export': ['[].Note'],
    'report-prepaid_balance.export': ['[].Note'],
    'report-subscription.list': ['data[].note'],
    'report-subscription.export': ['[].Note'],
  },
  viewReports: {
    'reports.export': ['403'],
    'reports.exportFile': ['403'],
  },
  // A component of a page may need an area of its own.
  productAnalytics: {
    'analytics.pageConfig': ['', '.about', '.key', '.metrics[]', '.title', '.to', '.type', '.width'].map(
      member => `data.tabs[].sections[].components[]${member}`,
    ),
  },
  orderAnalytics: {
    'analytics.pageConfig': ['403'],
    'analytics.components': ['403'],
    'analytics.chart': ['403'],
    'analytics.chartOf': ['403'],
    'analytics.rows': ['403'],
  },
};

/** What an area refuses because a report is about it: rows and file, where the call does not name the area; without reports each file. */
function refused(): Places {
  const found: Places = {};
  for (const { key, permission, also = [] } of Object.values(productDefinitions().reports)) {
    const file = `${reportTable(key)}.export`;
    (found.viewReports ??= {})[file] = ['403'];
    if (permission && permission !== 'viewReports' && !also.includes(permission))
      Object.assign((found[permission] ??= {}), { [`${reportTable(key)}.list`]: ['403'], [file]: ['403'] });
  }
  return found;
}

const REFUSED = refused();
export const OF_REPORTS: Places = Object.fromEntries(
  [...new Set([...Object.keys(OWN), ...Object.keys(REFUSED)])].map(area => [area, { ...OWN[area], ...REFUSED[area] }]),
);
