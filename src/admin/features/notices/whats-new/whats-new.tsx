// The news inside the popover, the newest first; those that are new to this person are marked while it is open.
import { ArrowRight } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { plainDay } from '../../../platform/format.ts';
import type { Feed, NewsItem } from './whats-new-button.tsx';
import { type BadgeName, toneOf } from '../../../ui/tone.ts';
import { t } from '../../../../domain/text/t.ts';

const KINDS: Record<NewsItem['kind'], { title: string; badge: BadgeName }> = {
  NEW: { title: t`New`, badge: 'newsNew' },
  IMPROVED: { title: t`Improved`, badge: 'newsImproved' },
  FIXED: { title: t`Fixed`, badge: 'newsFixed' },
};

export function WhatsNew({
  feed,
  isError,
  onRetry,
  onSeen,
  onClose,
}: {
  feed: Feed | undefined;
  isError: boolean;
  onRetry: () => void;
  onSeen: (feed: Feed) => Promise<void>;
  onClose: () => void;
}): ReactElement {
  const [shown, setShown] = useState<Feed>();
  useEffect(() => {
    if (!feed || shown) return;
    setShown(feed);
    void onSeen(feed).catch(() => undefined); // it stays unread
  }, [feed, shown, onSeen]);
  const items = shown?.items ?? feed?.items;
  return (
    <div className="p-news">
      <h2>{t`What's new`}</h2>
      {items === undefined &&
        (isError ? (
          <p className="p-muted">
            {t`The news could not be read.`}{' '}
            <button type="button" className="p-link" onClick={onRetry}>
              {t`Try again`}
            </button>
          </p>
        ) : (
          <div className="p-stack-s" role="status" aria-label={t`Loading`}>
            <span className="p-skeleton p-sk-5" />
            <span className="p-skeleton p-sk-6" />
            <span className="p-skeleton p-sk-4" />
          </div>
        ))}
      {items?.length === 0 && <p className="p-muted">{t`Nothing yet. Changes in Perennial are announced here.`}</p>}
      {items !== undefined && items.length > 0 && (
        <ol className="p-news-list">
          {items.map(item => (
            <li key={item.id} data-unread={item.isUnread || undefined}>
              <p className="p-row">
                <span className="p-badge p-badge-plain" data-tone={toneOf(KINDS[item.kind].badge)}>
                  {KINDS[item.kind].title}
                </span>
                <time className="p-hint" dateTime={item.date}>
                  {plainDay(item.date)}
                </time>
                {item.isUnread && (
                  <span className="p-news-new">
                    <span className="p-sr">{t`Unread`}</span>
                  </span>
                )}
              </p>
              <h3>{item.title}</h3>
              <p className="p-muted">{item.text}</p>
              {item.to && (
                <Link className="p-news-link" to={item.to} onClick={onClose}>
                  {item.linkText}
                  <ArrowRight size={14} aria-hidden="true" />
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
