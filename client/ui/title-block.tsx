import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { usePageTitle } from '../lib/page-title.ts'
import { PrefetchLink } from './prefetch-link.tsx'
import { Skeleton } from './state/loading.tsx'

interface Crumb {
  label: string | null
  to?: string
}

interface TitleBlockProps {
  /** Null while the title loads. */
  title: string | null
  crumbs?: Crumb[]
  facts?: ReactNode
  back?: { to: string; name: string } | false
  actions?: ReactNode
}

export function TitleBlock({ title, crumbs, facts, back, actions }: TitleBlockProps) {
  usePageTitle(title)
  return (
    <div className="title-block">
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <div className="row title-row">
        {back && (
          <PrefetchLink
            to={back.to}
            className="button quiet icon back"
            aria-label={back.name}
            title={back.name}
          >
            <ArrowLeft />
          </PrefetchLink>
        )}
        <div className="row title-words">
          <h1 tabIndex={-1}>{title ?? <Skeleton width="16rem" label="Loading" />}</h1>
          {facts !== undefined && <p className="muted facts">{facts}</p>}
        </div>
        {actions && <div className="row title-actions">{actions}</div>}
      </div>
    </div>
  )
}

/** The last crumb is the current page. */
function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const lastCrumb = crumbs.at(-1)
  return (
    <nav aria-label="Breadcrumb" className="breadcrumbs">
      <ol>
        {crumbs.map((crumb) => {
          const label = crumb.label ?? <Skeleton width="7rem" label="Loading" />
          return (
            <li key={`${crumb.label} ${crumb.to}`}>
              {crumb !== lastCrumb && crumb.to ? (
                <PrefetchLink to={crumb.to}>{label}</PrefetchLink>
              ) : (
                <span aria-current={crumb === lastCrumb ? 'page' : undefined}>{label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
