// When a page fails: what happened, in words, with the request id for support, and a way to try again. The frame around it stays usable.
import { CircleAlert, RotateCcw } from 'lucide-react';
import { Component, type ReactElement, type ReactNode } from 'react';
import { retryChunks } from '../../platform/chunk.ts';
import { report } from '../../platform/transport/error-report.ts';
import { CallError } from '../../platform/transport/transport.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../tx.ts';

/**
 * A failure in place of what should be there. `what` completes "… could not be shown"; `isPage` where nothing else heads the page; `way` is
 * what helps better than asking again.
 */
export function ErrorState({
  error,
  what = t`This page`,
  isPage = false,
  way,
  onRetry,
}: {
  error: unknown;
  what?: string;
  isPage?: boolean;
  way?: { title: string; onPress: () => void } | undefined;
  onRetry?: () => void;
}): ReactElement {
  const call = error instanceof CallError ? error : undefined;
  const missing =
    error instanceof Error && /dynamically imported module|Importing a module script failed|error loading|preload CSS/i.test(error.message);
  const text = call
    ? call.message
    : missing
      ? t`A part of the app could not be loaded. Check your connection; if Perennial was updated meanwhile, reloading helps.`
      : error instanceof Error
        ? error.message
        : String(error);
  const canRetry = onRetry !== undefined && call?.status !== 403;
  const title = call?.status === 403 ? t`You can't see this` : call?.status === 404 ? t`Not found` : t`${what} could not be shown`;
  return (
    <div className="p-empty" role="alert">
      <CircleAlert aria-hidden="true" />
      {isPage ? <h1 className="p-empty-title">{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      {call?.requestId && <p className="p-hint">{tx`Request ${call.requestId}`}</p>}
      {(way || canRetry) && (
        <div className="p-row">
          {way && (
            <button type="button" className="p-btn p-btn-primary" onClick={way.onPress}>
              {way.title}
            </button>
          )}
          {canRetry && (
            <button type="button" className="p-btn" onClick={onRetry}>
              <RotateCcw aria-hidden="true" />
              {t`Try again`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Catches what a page throws. Starts over when `place` changes. */
export class ErrorBoundary extends Component<{ place: string; what?: string; children: ReactNode }, { error?: unknown; place: string }> {
  override state: { error?: unknown; place: string } = { place: this.props.place };
  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }
  static getDerivedStateFromProps(props: { place: string }, state: { place: string }): { error: undefined; place: string } | null {
    return props.place === state.place ? null : { error: undefined, place: props.place };
  }
  override componentDidCatch(error: unknown): void {
    report(error);
  }
  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <ErrorState
        error={this.state.error}
        {...(this.props.what ? { what: this.props.what } : {})}
        onRetry={() => {
          retryChunks();
          this.setState({ error: undefined });
        }}
      />
    );
  }
}
