import type { ChangeLine } from '../lib/access-draft.ts'
import type { ScopeNames } from '../lib/role-text.ts'
import { roleLabel } from '../lib/role-text.ts'

/** A change of access, line by line, as it will be saved. */
export function ChangeLines({ lines, nameOf }: { lines: readonly ChangeLine[]; nameOf: ScopeNames }) {
  return (
    <ul className="change-lines" aria-label="Changes">
      {lines.map(({ sign, role, scope, replacedBy }) => (
        <li key={`${sign} ${role} ${scope}`} className={sign === '+' ? 'change-add' : 'change-remove'}>
          <span aria-hidden="true" className="change-sign">
            {sign}
          </span>
          <span>
            <span className="sr-only">{sign === '+' ? 'Add ' : 'Remove '}</span>
            <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
            {replacedBy && (
              <span className="change-why">
                {' '}
                Replaced by {roleLabel(replacedBy.role)} at {nameOf(replacedBy.scope)} (narrower scope)
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
