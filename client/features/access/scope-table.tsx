import type { CSSProperties } from 'react'
import { count } from '../../lib/format.ts'
import { AllBox, columnLabel, type PickedScope, RoleBox } from './scope-boxes.tsx'
import type { ScopePickerProps } from './scope-picker.tsx'

/** Those that the keyword finds, and of them those of the page. */
export interface ScopesProps extends Omit<ScopePickerProps, 'places' | 'error'> {
  found: readonly PickedScope[]
  shown: readonly PickedScope[]
}

/** Customers by roles. */
export function ScopeTable({ label, integratorName, roles, draft, onChange, found, shown }: ScopesProps) {
  return (
    <div className="table-region scope-picker-region">
      <table className="data-table scope-table" style={{ '--roles': roles.length } as CSSProperties}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Customer</th>
            {roles.map((role) => (
              <th key={role} scope="col" className="column-role">
                {columnLabel(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="scope-root">
            <th scope="row">
              {count(found.length, 'customer')} of {integratorName}
            </th>
            {roles.map((role) => (
              <td key={role} className="column-role">
                <AllBox {...{ role, found, draft, onChange }} />
              </td>
            ))}
          </tr>
          {shown.map((place) => (
            <tr key={place.scope} className="scope-place">
              <th scope="row">{place.name}</th>
              {roles.map((role) => (
                <td key={role} className="column-role">
                  <RoleBox {...{ role, place, draft, onChange }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
