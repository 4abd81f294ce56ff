import type { ComponentChildren } from 'preact';

/** The heading of a page, with what can be done there at its right. */
export function PageHead({
  title,
  badge,
  crumbs,
  about,
  children,
}: {
  title: ComponentChildren;
  badge?: ComponentChildren;
  /** The way here. */
  crumbs?: ComponentChildren;
  /** One sentence on what the page is for. */
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      {crumbs !== undefined && (
        <nav class="crumbs" aria-label="The way here">
          {crumbs}
        </nav>
      )}
      <div class="title">
        <div class="row tight">
          <h1>{title}</h1>
          {badge}
        </div>
        <div class="row tight">{children}</div>
      </div>
      {about !== undefined && <p class="soft">{about}</p>}
    </div>
  );
}
