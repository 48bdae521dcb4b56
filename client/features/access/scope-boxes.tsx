// The boxes of the scope picker: a role at one customer, or at all that show.
import type { Role } from '#shared/permissions.ts'
import { count } from '../../lib/format.ts'
import { type Draft, modeOf, rolesAt, withRole } from './access-draft.ts'
import { roleLabel } from './role-text.ts'

export interface PickedScope {
  scope: string
  name: string
}

export function columnLabel(role: Role): string {
  if (modeOf(role) === 'admin') return 'Admin'
  return role === 'customer_user' || role === 'partner_user' ? 'User' : roleLabel(role)
}

interface BoxProps {
  role: Role
  draft: Draft
  onChange: (draft: Draft) => void
}

export function AllBox({ role, found, draft, onChange }: BoxProps & { found: readonly PickedScope[] }) {
  const chosen = found.filter(({ scope }) => rolesAt(draft, scope).includes(role)).length
  const all = chosen === found.length
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={`${columnLabel(role)} for all ${count(found.length, 'customer')} shown`}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && !all
        }}
        onChange={() =>
          onChange(found.reduce<Draft>((next, { scope }) => withRole(next, role, scope, !all), draft))
        }
      />
    </label>
  )
}

/** Why a box has no say: another role at the customer stands alone. */
export function standsAlone(role: Role, draft: Draft, scope: string): string | null {
  const alone = rolesAt(draft, scope).find((held) => held !== role && modeOf(held) !== 'standard')
  return alone ? `${columnLabel(alone)} stands alone` : null
}

export function RoleBox({ role, place, draft, onChange }: BoxProps & { place: PickedScope }) {
  const refusal = standsAlone(role, draft, place.scope)
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={`${columnLabel(role)} for ${place.name}`}
        aria-disabled={refusal ? true : undefined}
        title={refusal ?? undefined}
        checked={rolesAt(draft, place.scope).includes(role)}
        onChange={(event) => refusal || onChange(withRole(draft, role, place.scope, event.target.checked))}
      />
    </label>
  )
}
