import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  label: string
  error?: string | null
  help?: ReactNode
  required?: boolean
}

type Own = 'value' | 'onChange' | 'required' | 'autoFocus'

interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, Own> {
  value: string
  onChange: (text: string) => void
  /** Takes the focus when a dialog opens. */
  autoFocus?: boolean
  end?: ReactNode
}

export function TextField({
  label,
  error,
  help,
  required,
  value,
  onChange,
  autoFocus,
  end,
  ...input
}: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, error, help, required }}>
      <input
        type="text"
        {...input}
        {...described(id, error, help)}
        required={required}
        value={value}
        data-autofocus={autoFocus || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {end}
    </FieldFrame>
  )
}

interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, Own> {
  value: string
  onChange: (text: string) => void
  autoFocus?: boolean
}

export function TextArea({
  label,
  error,
  help,
  required,
  value,
  onChange,
  autoFocus,
  ...area
}: TextAreaProps) {
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, error, help, required }}>
      <textarea
        rows={3}
        {...area}
        {...described(id, error, help)}
        required={required}
        value={value}
        data-autofocus={autoFocus || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, Own | 'children'> {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string; disabled?: boolean }[]
  /** The first entry, without a value. */
  placeholder?: string
}

export function SelectField(props: SelectFieldProps) {
  const { label, error, help, required, value, onChange, options, placeholder, ...select } = props
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, error, help, required }}>
      <select
        {...select}
        {...described(id, error, help)}
        required={required}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
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

interface CheckboxProps {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** Why it cannot be changed. */
  disabledReason?: string | null
  /** Indeterminate. */
  partly?: boolean
  kind?: 'checkbox' | 'switch'
}

export function Checkbox({
  label,
  checked,
  onChange,
  disabledReason,
  partly,
  kind = 'checkbox'
}: CheckboxProps) {
  const id = useId()
  return (
    <span className={`check ${kind}`}>
      <input
        id={id}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = partly === true
        }}
        aria-disabled={disabledReason ? true : undefined}
        aria-describedby={disabledReason ? `${id}-reason` : undefined}
        onChange={(event) => !disabledReason && onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {disabledReason && (
        <span id={`${id}-reason`} className="check-reason">
          {disabledReason}
        </span>
      )}
    </span>
  )
}

function described(id: string, error: string | null | undefined, help: ReactNode) {
  const parts = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ')
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': parts || undefined
  }
}

interface FieldFrameProps {
  id: string
  label: string
  error: string | null | undefined
  help: ReactNode
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
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      <p id={`${id}-error`} className="field-error" role="status">
        {error}
      </p>
    </div>
  )
}
