// The main button of a page or dialog, where it leads out of the admin.
import { ExternalLink } from 'lucide-react';
import type { ReactElement } from 'react';
import { t } from '../../domain/text/t.ts';

/** Opens a page that is none of the admin in a tab of its own, and says so. */
export const TabLink = ({ href, text, onClick }: { href: string; text: string; onClick?: () => void }): ReactElement => (
  <a className="p-btn p-btn-primary" href={href} target="_blank" rel="noopener noreferrer" onClick={onClick}>
    {text}
    <ExternalLink size={14} aria-hidden="true" />
    <span className="p-sr"> {t`(opens in a new tab)`}</span>
  </a>
);
