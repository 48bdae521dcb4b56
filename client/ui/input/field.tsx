import './forms.css'
import {
  type ChangeEvent,
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useState
} from 'react'
import { lengthOf } from '../../lib/validation.ts'

/** Why the service refused the last save, by the body's field. */
export const FieldReasonsContext = createContext<ReadonlyMap<string, string>>(new Map())

interface FieldProps {
  label: string
  /** The body's field that has this value: a refusal that names it shows here until the value changes. */
  bodyField?: string
  error?: string | null
  help?: ReactNode
  required?: boolean
  value: string
  onChange: (value: string) => void
  /** Takes the focus when a dialog opens. */
  autoFocus?: boolean
  /** Maximum number of characters. The help text then shows how many characters the value has. */
  limit?: number
}

type Props<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps | 'id' | 'children'>

export function TextField({ end, ...props }: Props<'input'> & { end?: ReactNode }) {
  const [frame, control] = useField(props)
  return (
    <FieldFrame {...frame}>
      <input type="text" {...control} />
      {end}
    </FieldFrame>
  )
}

export function TextArea(props: Props<'textarea'>) {
  const [frame, control] = useField(props)
  return (
    <FieldFrame {...frame}>
      <textarea rows={3} {...control} />
    </FieldFrame>
  )
}

type SelectFieldProps = Props<'select'> & {
  options: readonly { value: string; label: string; disabled?: boolean }[]
  placeholder?: string
}

export function SelectField({ options, placeholder, ...props }: SelectFieldProps) {
  const [frame, control] = useField(props)
  return (
    <FieldFrame {...frame}>
      <select {...control}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

function useField<Given extends FieldProps>(fieldProps: Given) {
  const {
    label,
    error: ownError,
    help: helpText,
    limit,
    autoFocus,
    onChange,
    bodyField,
    ...rest
  } = fieldProps
  const { required, value } = fieldProps
  const reason = useFieldReason(bodyField, value)
  const error = ownError || reason
  const id = useId()
  const help = limit === undefined ? helpText : `${lengthOf(value)} of ${limit} characters`
  const describedBy = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ')
  return [
    { id, label, error, help, required },
    {
      ...rest,
      id,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy || undefined,
      'data-autofocus': autoFocus || undefined,
      onChange: (event: { target: { value: string } }) => onChange(event.target.value)
    }
  ] as const
}

function useFieldReason(bodyField: string | undefined, value: string): string | null {
  const reasons = useContext(FieldReasonsContext)
  const [refused, setRefused] = useState({ reasons, value })
  if (refused.reasons !== reasons) setRefused({ reasons, value })
  const isUnchanged = refused.value === value
  return (isUnchanged && bodyField !== undefined && reasons.get(bodyField)) || null
}

interface FieldFrameProps extends Pick<FieldProps, 'label' | 'help'> {
  id: string
  error: string | null | undefined
  required: boolean | undefined
  children: ReactNode
}

function FieldFrame({ id, label, error, help, required, children }: FieldFrameProps) {
  return (
    <div className="form-field">
      <label htmlFor={id}>
        {label}
        {required === false && <span className="muted"> (optional)</span>}
      </label>
      <div className="field">{children}</div>
      {help && (
        <p id={`${id}-help`} className="hint">
          {help}
        </p>
      )}
      <p id={`${id}-error`} className="field-error" role="status">
        {error}
      </p>
    </div>
  )
}

interface BoxProps {
  checked: boolean
  onChange: (checked: boolean, event: ChangeEvent<HTMLInputElement>) => void
  disabledReason?: string | null | undefined
  partly?: boolean
}

const boxAttributes = ({ checked, onChange, disabledReason, partly = false }: BoxProps) => ({
  type: 'checkbox',
  checked,
  ref: (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = partly
  },
  'aria-disabled': disabledReason ? true : undefined,
  onChange: (event: ChangeEvent<HTMLInputElement>) => disabledReason || onChange(event.target.checked, event)
})

export function TickBox({ name, ...box }: BoxProps & { name: string }) {
  return (
    <label className="select-box" onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
      <input {...boxAttributes(box)} aria-label={name} title={box.disabledReason ?? undefined} />
    </label>
  )
}

interface CheckboxProps extends BoxProps {
  label: ReactNode
  kind?: 'checkbox' | 'switch'
}

export function Checkbox({ label, kind = 'checkbox', ...box }: CheckboxProps) {
  const id = useId()
  const { disabledReason } = box
  return (
    <span className={`check ${kind}`}>
      <input
        {...boxAttributes(box)}
        id={id}
        role={kind === 'switch' ? 'switch' : undefined}
        aria-describedby={disabledReason ? `${id}-reason` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {disabledReason && (
        <span id={`${id}-reason`} className="hint check-reason">
          {disabledReason}
        </span>
      )}
    </span>
  )
}
