// What the page of an app reads: its file, and what the store has of it.
import type { Schema } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

export type Channel = 'BUILT_IN' | 'APP' | 'BOTH';
export type App = {
  identifier: string;
  name: string;
  category: string;
  description: string;
  status: 'CONNECTED' | 'ERROR' | 'PENDING' | 'NOT_CONNECTED';
  docs: string;
  connectType: 'API_KEY' | 'OAUTH_REDIRECT';
  isInPlan: boolean;
  plan: string;
  connectedAt: string | null;
  connectedBy: string;
  lastSyncAt: string | null;
  lastError: string;
  form: Schema;
  steps: string[];
  settings: Record<string, string>;
  takesEvents: boolean;
  events: { event: string; title: string; hasEmail: boolean; channel: Channel | null }[];
};
export interface Statistics {
  eventsSent: number;
  eventsFailed: number;
  eventsWaiting: number;
  byEvent: { event: string; title: string; sent: number; failed: number; waiting: number }[];
  errors: { id: number; time: string; title: string; message: string; state: string }[];
}
export const isConnected = ({ status }: App): boolean => status === 'CONNECTED' || status === 'ERROR';
export const STATES: Record<App['status'], { title: string; tone: string }> = {
  CONNECTED: { title: t`Connected`, tone: 'success' },
  ERROR: { title: t`Reconnect`, tone: 'critical' },
  PENDING: { title: t`Waiting for approval`, tone: 'attention' },
  NOT_CONNECTED: { title: t`Not connected`, tone: 'neutral' },
};
