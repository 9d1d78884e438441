// What the cards of the home page ask for, and how it is read.
import type { ReactNode, ReactElement } from 'react';
import { allowsCall } from '../../contract/access.ts';
import { definitions } from '../platform/definitions.ts';
import { plainDay } from '../platform/format.ts';
import { useSession } from '../platform/session/session.tsx';
import { useAsk } from '../platform/transport/calls.ts';
import { FiguresFailed } from './failed.tsx';

interface Figure<T> {
  value: T;
  previous: T;
  changePercent: number | null;
}
export interface Overview {
  activeSubscriptions: number;
  pausedSubscriptions: number;
  activeSubscribers: number;
  /** Left out for people who may not look at payment recovery. */
  inRecovery?: { count: number; value: string };
  mrr: string;
  currencyCode: string;
  updatedAt: string;
}
export interface Revenue {
  currencyCode: string;
  revenue: Figure<string>;
  recurring: Figure<string>;
  checkout: Figure<string>;
  orders: Figure<number>;
  averageOrder: Figure<string>;
  byDay: { date: string; value: string; previous: string }[];
}
export interface Movement {
  begun: Figure<number>;
  cancelled: Figure<number>;
  churnRate: Figure<number | null>;
}
export interface Upcoming {
  currencyCode: string;
  days: { date: string; count: number; value: string }[];
  week: Sum;
  month: Sum;
}
interface Sum {
  count: number;
  value: string;
}
export interface Payments {
  realized: PaymentFigure;
  recovered: PaymentFigure;
  underRecovery: PaymentFigure;
  lost: PaymentFigure;
}
interface PaymentFigure {
  value: string;
  count: number;
  changePercent: number | null;
}
export interface Alerts {
  total: number;
  alerts: { id: number; title: string; summary: string; severity: string }[];
}

/** Asks for a card's figures where the session may; `may` false leaves the card out. */
interface Asked<T> {
  may: boolean;
  data: T | undefined;
  error: Error | null;
  retry: () => void;
}
export function useCard<T>(call: string, input: Record<string, string> = {}): Asked<T> {
  const session = useSession();
  const line = definitions.calls[call];
  const may = line !== undefined && allowsCall(line, session).ok;
  const { data, error, refetch } = useAsk<T>(call, may ? input : undefined, { staleTime: 60_000, placeholderData: before => before });
  return {
    may,
    data,
    error,
    retry: () => {
      void refetch();
    },
  };
}

export function Card({
  title,
  what = title,
  link,
  card: { data, error, retry },
  children,
}: {
  title: string;
  /** What could not be loaded, where the title does not name it. */ what?: string;
  link?: ReactNode;
  card: Asked<unknown>;
  children: ReactNode;
}): ReactElement {
  return (
    <section className="p-card" aria-label={title}>
      <div className="p-card-head">
        <h2>{title}</h2>
        {link}
      </div>
      {error && (
        <div className="b-failed">
          <FiguresFailed what={what} error={error} retry={retry} />
        </div>
      )}
      {(!error || data !== undefined) && children}
    </section>
  );
}
export const span = (from: string, to: string): string => (from === to ? plainDay(from) : `${plainDay(from)} – ${plainDay(to)}`);
