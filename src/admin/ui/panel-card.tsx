// The card of a panel: named by its heading, with what is chosen for all of it beside the heading.
import { type ReactElement, type ReactNode, useId } from 'react';

/** `tools` stand at the end of the head. What is in the card brings its own padding (`p-card-body`), as lists go from edge to edge. */
export function PanelCard({
  title,
  tools,
  className = '',
  children,
}: {
  title: ReactNode;
  tools?: ReactNode;
  className?: string;
  children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <section className={`p-card ${className}`.trim()} aria-labelledby={id}>
      <div className={tools ? 'p-card-head p-card-tools' : 'p-card-head'}>
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      {children}
    </section>
  );
}
