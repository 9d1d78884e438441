// The help center: articles by group, found by words, and one article. /help?page=/subscriptions/12 leads to the article about that page.
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { cleanHtml } from '../../src/admin/form/fields/clean-html.ts';
import { articleFor, articles, groups, search, type Article, pictureUrl } from '../../src/admin/features/help/articles.ts';
import type { Resource } from '../../src/contract/types.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import '../../src/admin/features/help/help.css';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export default function Help({ resource, params }: PageProps) {
  const [query] = useSearchParams();
  const page = query.get('page');
  const wanted = page ? articleFor(page) : undefined;
  if (wanted) return <Navigate replace to={`/help/${wanted.id}`} />;
  const article = articles.find(({ id }) => id === params.id);
  return article ? <One article={article} /> : <All resource={resource} lost={params.id} />;
}

/** `lost`: what the address named in place of an article; "sent" after a question was asked. */
function All({ resource, lost }: { resource: Resource; lost: string | undefined }) {
  const { title } = resource;
  usePageTitle(title);
  const contact = resource.actions?.find(({ id }) => id === 'contact');
  const [words, setWords] = useState('');
  const found = words.trim() ? search(words) : undefined;
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{title}</h1>
        <div className="p-page-actions">
          {contact?.to && (
            <Link className="p-btn p-btn-primary" to={contact.to}>
              {contact.title}
            </Link>
          )}
        </div>
      </div>
      <div className="p-stack">
        {lost !== undefined && (
          <p role="status">
            {lost === 'sent' ? t`Your question is on its way. We answer by e-mail.` : t`This article is not there. Look for it below.`}
          </p>
        )}
        <input
          className="p-input h-search"
          type="search"
          aria-label={t`Search articles`}
          placeholder={t`Search articles`}
          value={words}
          onChange={event => setWords(event.target.value)}
        />
        {found ? (
          <section className="p-card p-card-body" aria-label={t`Found articles`} aria-live="polite">
            {found.length ? (
              <Titles of={found} />
            ) : (
              <p className="h-end">{tx`No article has these words. Try others, or ${<Link to="/help/contact">{t`write to us`}</Link>}.`}</p>
            )}
          </section>
        ) : (
          <div className="h-groups">
            {groups.map(group => (
              <section key={group.name} className="p-card p-card-body" aria-label={group.name}>
                <h2>{group.name}</h2>
                <Titles of={group.articles} />
              </section>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

const Titles = ({ of }: { of: readonly Article[] }) => (
  <ul className="h-list">
    {of.map(({ id, title }) => (
      <li key={id}>
        <Link to={`/help/${id}`}>{title}</Link>
      </li>
    ))}
  </ul>
);

function One({ article }: { article: Article }) {
  usePageTitle(article.title);
  const navigate = useNavigate();
  const text = useRef<HTMLElement>(null);
  // Some browsers answer with a promise, which no effect may.
  useEffect(() => void text.current?.scrollIntoView({ block: 'nearest' }), [article.id]);
  // Links to pages of the admin stay within it.
  const follow = (event: MouseEvent): void => {
    const to = (event.target as Element).closest('a')?.getAttribute('href');
    if (!to?.startsWith('/') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(to);
  };
  const beside = groups.find(({ name }) => name === article.group)?.articles.filter(({ id }) => id !== article.id) ?? [];
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{article.title}</h1>
        <div className="p-page-actions">
          {article.pages[0] && (
            <Link className="p-btn" to={article.pages[0]}>
              {t`Open the page`}
            </Link>
          )}
          <Link className="p-btn" to="/help">
            {t`All articles`}
          </Link>
        </div>
      </div>
      <div className="p-stack">
        <article
          ref={text}
          className="p-card p-card-body h-article"
          onClick={follow}
          dangerouslySetInnerHTML={{ __html: cleanHtml(article.html) }}
        />
        {article.hasPicture && (
          <figure className="p-card h-picture">
            <img
              src={pictureUrl(article)}
              width={1180}
              height={720}
              loading="lazy"
              alt={t`The page that this is about, with the demo store`}
            />
          </figure>
        )}
        {beside.length > 0 && (
          <section className="p-card p-card-body" aria-label={t`More about ${article.group}`}>
            <h2>{article.group}</h2>
            <Titles of={beside} />
          </section>
        )}
        <p className="h-end">{tx`Not what you were looking for? ${<Link to="/help/contact">{t`Write to us`}</Link>}`}</p>
      </div>
    </div>
  );
}
