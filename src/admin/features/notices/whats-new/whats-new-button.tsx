// What's new in the top bar (S092): a mark while something is unread, and the news in a popover whose code comes when it is opened.
import { Megaphone } from 'lucide-react';
import type { ReactElement } from 'react';
import { runCall, useAsk } from '../../../platform/transport/calls.ts';
import { chunk } from '../../../platform/chunk.ts';
import { PopoverButton } from '../../../ui/overlays/menu.tsx';
import { queryClient } from '../../../platform/transport/query-client.ts';
import { useAfterFirstPage } from '../../../platform/start/after-first-page.ts';
import { t } from '../../../../domain/text/t.ts';

export interface NewsItem {
  id: string;
  date: string;
  kind: 'NEW' | 'IMPROVED' | 'FIXED';
  title: string;
  text: string;
  to?: string;
  linkText?: string;
  isUnread: boolean;
}
export interface Feed {
  items: NewsItem[];
  unread: number;
}

const FEED = 'whats-new.feed';
const newsChunk = chunk(() => import('./whats-new.tsx'));

/** Notes that all was seen: the mark goes at once; which pieces are new stays visible as long as the popover is open. */
async function markSeen(feed: Feed): Promise<void> {
  const [newest] = feed.items;
  if (!newest || feed.unread === 0) return;
  await runCall('whats-new.seen', { newsId: newest.id });
  await queryClient.invalidateQueries({ predicate: query => query.queryKey[2] === FEED });
}

export function WhatsNewButton(): ReactElement {
  const isCalm = useAfterFirstPage();
  const { data: feed, isError, refetch } = useAsk<Feed>(FEED, isCalm ? {} : undefined);
  const unread = feed?.unread ?? 0;
  return (
    <PopoverButton
      label={unread ? t`What's new, ${unread} unread` : t`What's new`}
      className="p-icon-btn p-news-btn"
      data-tip={t`What's new`}
      align="end"
      needs={newsChunk}
      button={
        <>
          <Megaphone aria-hidden="true" />
          {unread > 0 && <span className="p-news-dot" aria-hidden="true" />}
        </>
      }
    >
      {close => {
        const News = newsChunk.get()?.WhatsNew;
        return News && <News feed={feed} isError={isError} onRetry={() => void refetch()} onSeen={markSeen} onClose={close} />;
      }}
    </PopoverButton>
  );
}
