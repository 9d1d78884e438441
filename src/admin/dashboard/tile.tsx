// A figure on a card: what it is, how much, how it changed, and where to read more.
import { ArrowDownRight, ArrowRight, ArrowUpRight, Info } from 'lucide-react';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import './dashboard.css';
import { t } from '../../domain/text/t.ts';
import { percent as inPercent } from '../platform/format.ts';

export interface TileProps {
  title: string;
  /** What exactly is counted; shown on hover and read out. */
  about: string;
  /** undefined while it loads; null where there is nothing to show. */
  value: string | null | undefined;
  /** Percent against the period before; null: nothing to compare with. Left out: the figure has no period. */
  change?: number | null | undefined;
  /** Fewer is better: churn, failed payments. */
  inverted?: boolean;
  /** A change is no news, good or bad: it has no colour. */
  plain?: boolean;
  note?: ReactNode;
  to?: string | undefined;
  /** The value as it is drawn, where that is more than its text. */
  shown?: ReactNode;
}

export function Tile({ title, about, value, change, inverted = false, plain = false, note, to, shown }: TileProps): ReactElement {
  return (
    <div className="b-tile">
      <dt className="b-tile-title">
        {to ? (
          <Link className="p-cut b-tile-link" to={to}>
            {title}
          </Link>
        ) : (
          <span className="p-cut">{title}</span>
        )}
        <button type="button" className="b-about" aria-label={about} data-tip={about}>
          <Info aria-hidden="true" />
        </button>
      </dt>
      <dd className="b-tile-value" style={{ '--b-chars': value?.length ?? 1 } as CSSProperties}>
        {value === undefined ? (
          <span className="p-skeleton b-sk-value" role="status" aria-label={t`Loading`} />
        ) : value === null ? (
          <span className="p-muted">–</span>
        ) : (
          (shown ?? value)
        )}
      </dd>
      <dd className="b-tile-note">
        {value === undefined && note !== '' ? (
          <span className="p-skeleton p-sk-3" />
        ) : change === undefined ? (
          note
        ) : (
          <Change percent={change} inverted={inverted} plain={plain} />
        )}
      </dd>
    </div>
  );
}

/** "+4.2%" in the colour of good or bad news; a dash where there was nothing before. */
export function Change({
  percent,
  inverted = false,
  plain = false,
}: {
  percent: number | null;
  inverted?: boolean;
  plain?: boolean;
}): ReactElement {
  if (percent === null)
    return (
      <span className="p-muted">
        – <span className="p-sr">{t`Nothing to compare with`}</span>
      </span>
    );
  const tone = percent === 0 || plain ? undefined : percent > 0 === inverted ? 'bad' : 'good';
  const Arrow = percent === 0 ? ArrowRight : percent > 0 ? ArrowUpRight : ArrowDownRight;
  return (
    <span className="b-change" data-tone={tone}>
      <Arrow size={14} aria-hidden="true" />
      {percent > 0 ? '+' : percent < 0 ? '−' : ''}
      {inPercent(Math.abs(percent))}
      <span className="p-sr"> {t`against the period before`}</span>
    </span>
  );
}
