import { useState } from 'react'
import { count } from '../../lib/format.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { rolesAt, withRole } from './access-draft.ts'
import { AllBox, columnLabel, type PickedScope, standsAlone } from './scope-boxes.tsx'
import type { ScopesProps } from './scope-table.tsx'

/** On a phone each customer opens a sheet of its boxes. */
export function ScopeList({ integratorName, roles, draft, onChange, found, shown }: ScopesProps) {
  const [open, setOpen] = useState<PickedScope | 'all' | null>(null)
  const summary = (scope: string) =>
    rolesAt(draft, scope)
      .filter((role) => roles.includes(role))
      .map(columnLabel)
      .join(', ') || 'None'
  const entry = (key: string, name: string, value: string, target: PickedScope | 'all') => (
    <li key={key}>
      <button type="button" className="scope-entry" aria-haspopup="dialog" onClick={() => setOpen(target)}>
        <span>{name}</span>
        <span className="muted">{value}</span>
      </button>
    </li>
  )
  return (
    <>
      <ul className="scope-entries">
        {entry('all', `${count(found.length, 'customer')} of ${integratorName}`, 'Change all', 'all')}
        {shown.map((place) => entry(place.scope, place.name, summary(place.scope), place))}
      </ul>
      {open && (
        <Modal
          title={open === 'all' ? `All ${count(found.length, 'customer')}` : open.name}
          onClose={() => setOpen(null)}
        >
          <div className="modal-body">
            {roles.map((role) =>
              open === 'all' ? (
                <span key={role} className="check">
                  <AllBox {...{ role, found, draft, onChange }} />
                  <span aria-hidden="true">{columnLabel(role)}</span>
                </span>
              ) : (
                <Checkbox
                  key={role}
                  label={columnLabel(role)}
                  checked={rolesAt(draft, open.scope).includes(role)}
                  disabledReason={standsAlone(role, draft, open.scope)}
                  onChange={(on) => onChange(withRole(draft, role, open.scope, on))}
                />
              )
            )}
          </div>
          <div className="modal-actions">
            <button type="button" className="button primary" onClick={() => setOpen(null)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
