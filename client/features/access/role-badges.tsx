import type { Assignment } from '#shared/permissions.ts'
import { roleLabel, type ScopeNames } from './role-text.ts'

interface RoleBadgesProps {
  held: readonly Assignment[]
  unknown: readonly { id: string; name: string; scope: string }[]
  nameOf: ScopeNames
}

const SHOWN = 2

/** Two roles, and the rest with their scopes behind a disclosure. */
export function RoleBadges({ held, unknown, nameOf }: RoleBadgesProps) {
  const labels = [
    ...new Set(held.map(({ role }) => roleLabel(role))),
    ...new Set(unknown.map(({ name }) => `Unknown: ${name}`))
  ]
  if (labels.length === 0) return <span className="muted">None</span>
  const rest = labels.length - SHOWN
  return (
    <span className="role-badges">
      {labels.slice(0, SHOWN).map((label) => (
        <span key={label} className={`badge ${label.startsWith('Unknown') ? 'warn' : 'plain'}`}>
          {label}
        </span>
      ))}
      {rest > 0 && (
        <details>
          <summary className="badge plain" aria-label={`${rest} more roles`}>
            +{rest}
          </summary>
          <ul>
            {held.map(({ role, scope }) => (
              <li key={`${role} ${scope}`}>
                {roleLabel(role)} at {nameOf(scope)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </span>
  )
}
