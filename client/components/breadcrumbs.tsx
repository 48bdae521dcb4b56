import { PrefetchLink } from './prefetch-link.tsx'
import { Skeleton } from './skeleton.tsx'

interface BreadcrumbsProps {
  /** The last one is where the person is. A label is null while its words are not known. */
  crumbs: { label: string | null; to?: string }[]
}

export function Breadcrumbs({ crumbs }: BreadcrumbsProps) {
  const last = crumbs.at(-1)
  return (
    <nav aria-label="Breadcrumb" className="breadcrumbs">
      <ol>
        {crumbs.map((crumb) => {
          const label = crumb.label ?? <Skeleton width="7rem" label="Loading" />
          return (
            <li key={`${crumb.label} ${crumb.to}`}>
              {crumb !== last && crumb.to ? (
                <PrefetchLink to={crumb.to}>{label}</PrefetchLink>
              ) : (
                <span aria-current={crumb === last ? 'page' : undefined}>{label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
