import './style.css'
import type { Ref } from 'react'
import { AccessChoice, type AccessChoiceProps } from './access-choice.tsx'
import { type Granting, grantableRoles, modeAt } from './access-draft.ts'
import { type PickedScope, ScopePicker } from './scope-picker.tsx'

interface AccessEditorProps extends Omit<AccessChoiceProps, 'grantable'> {
  granting: Granting
  /** The customers for which custom access has roles; undefined where all roles are for one customer. */
  customers?: readonly PickedScope[]
  integratorName?: string
  /** Why custom access is incomplete. */
  customError?: string | null
  levels?: Ref<HTMLElement>
}

/** Edits the access of a person: the level and, with custom access, the roles for each customer. */
export function AccessEditor(props: AccessEditorProps) {
  const { granting, customers, integratorName = '', customError = null, levels, ...choice } = props
  const { scope, draft, onChange } = choice
  return (
    <>
      <section
        className="card stack access-card"
        aria-label="Access level"
        ref={levels}
        tabIndex={levels ? -1 : undefined}
      >
        <AccessChoice {...choice} grantable={grantableRoles(granting, scope)} />
      </section>
      {customers && modeAt(draft, scope) === 'custom' && (
        <ScopePicker
          label="Access by customer"
          integratorName={integratorName}
          customers={customers}
          roles={grantableRoles(granting, customers[0]?.scope ?? '')}
          draft={draft}
          onChange={onChange}
          error={customError}
        />
      )}
    </>
  )
}
