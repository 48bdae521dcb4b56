import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { NewSecret } from '#shared/answers/people.ts'
import { fileName } from '#shared/csv.ts'
import { count } from '../../../lib/format.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useSession } from '../../../lib/session/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { DateField } from '../../../ui/input/date-field.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/input/field.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { dayAfter, dayRefusal, endOfDay, SECRET_PRESETS, secretExpiry } from '../access/secret-expiry.ts'
import { makeSecret, type ServiceAccount, useAccountsRefresh } from './api.ts'

const DEFAULT_DAYS = 90

const LOST_SECRET =
  'The secret may have been changed anyway; then the previous one no longer works. Try again to get a secret.'

/** The last day of a new secret. */
export function useExpiryDay() {
  const { nowMs } = useSession()
  const [now] = useState(nowMs)
  const [day, onChange] = useState(() => dayAfter(DEFAULT_DAYS, now))
  return { day, nowMs: now, refusal: dayRefusal(day, now), onChange }
}

interface RegenerateSecretProps {
  account: ServiceAccount
  onClose: () => void
  /** Called once the person has stored the new secret. */
  onMade?: () => void
}

/** Creates a secret and shows it once. Replacing a secret requires typing the account's name. */
export function RegenerateSecret({ account, onClose, onMade }: RegenerateSecretProps) {
  const { customerId } = useCustomer()
  const refresh = useAccountsRefresh(customerId)
  const expiry = useExpiryDay()
  const [newSecret, setNewSecret] = useState<NewSecret | null>(null)
  const isFirst = account.secretExpiration === null

  if (newSecret) {
    return (
      <SecretOnce
        name={account.serviceName}
        secret={newSecret}
        onClose={() => {
          onClose()
          onMade?.()
          void refresh()
        }}
      />
    )
  }
  return (
    <ConfirmDialog
      title={`${isFirst ? 'Generate a' : 'Regenerate the'} secret of ${account.serviceName}?`}
      confirmLabel={isFirst ? 'Generate secret' : 'Regenerate secret'}
      tone={isFirst ? 'primary' : 'danger'}
      {...(isFirst ? {} : { typed: account.serviceName })}
      refusal={expiry.refusal}
      onConfirm={async () => setNewSecret(await makeSecret(account.id, customerId, expiry.day))}
      onCancel={onClose}
      reload={refresh}
      failureText={(error) =>
        `${refusalText(error)} ${consequenceText(error, 'The secret was not changed.', LOST_SECRET)}`
      }
      whileSending={{ text: 'The secret may be changed, and you would not see the new one.' }}
    >
      {!isFirst && (
        <p>
          <strong>The current secret stops working immediately.</strong> Programs that use it have no access
          until they get the new secret.
        </p>
      )}
      <ExpiryChoice {...expiry} />
    </ConfirmDialog>
  )
}

const OTHER_DAY = 'other'

export function ExpiryChoice({ day, nowMs, refusal, onChange }: ReturnType<typeof useExpiryDay>) {
  const preset = SECRET_PRESETS.find((days) => dayAfter(days, nowMs) === day)
  return (
    <div className="form-row">
      <SelectField
        label="Secret expires"
        value={preset === undefined ? OTHER_DAY : String(preset)}
        options={[
          ...SECRET_PRESETS.map((days) => ({ value: String(days), label: `In ${days} days` })),
          { value: OTHER_DAY, label: 'On another day' }
        ]}
        onChange={(value) => onChange(value === OTHER_DAY ? '' : dayAfter(Number(value), nowMs))}
      />
      <DateField
        label="Last day"
        min={dayAfter(0, nowMs)}
        value={day}
        error={refusal}
        help={
          refusal === null && (
            <>
              Expires on <Timestamp iso={endOfDay(day)} as="moment" />
            </>
          )
        }
        onChange={onChange}
      />
    </div>
  )
}

interface SecretOnceProps {
  name: string
  secret: NewSecret
  onClose: () => void
}

/** Shows a secret once, until the person confirms that it is stored. */
export function SecretOnce({ name, secret: { clientId, secret, expiration }, onClose }: SecretOnceProps) {
  const [isStored, setIsStored] = useState(false)
  useUnsavedChanges(
    isStored
      ? null
      : {
          question: 'Leave without storing the secret?',
          text: 'You have not stored the secret. It is shown only here.'
        }
  )
  const snippet = `CLIENT_ID=${clientId}\nCLIENT_SECRET=${secret}`
  const text = [`Service account: ${name}`, `Expires: ${expiration}`, '', snippet, ''].join('\r\n')
  return (
    <Modal title={`Secret of ${name}`}>
      <div className="modal-body">
        <p className="modal-text">
          The secret is shown only now. Store the secret where your program can read it.
        </p>
        {Object.entries({ 'Client ID': clientId, Secret: secret }).map(([label, value]) => (
          <TextField
            key={label}
            label={label}
            className="mono"
            readOnly
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={() => {}}
            onFocus={(event) => event.target.select()}
            end={<CopyButton text={value} label={`Copy ${label}`} inField />}
          />
        ))}
        <div className="secret-snippet">
          <pre>{snippet}</pre>
          <CopyButton text={snippet} label="Copy both lines" />
        </div>
        <p className="muted">
          It expires on <Timestamp iso={expiration} />.
        </p>
        <Checkbox label="I have stored the secret" checked={isStored} onChange={setIsStored} />
      </div>
      <div className="row modal-actions">
        <button
          type="button"
          className="button"
          onClick={() => saveFile(fileName([name, 'secret'], 'txt'), text, 'text/plain;charset=utf-8')}
        >
          <Download />
          Download .txt
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!isStored}
          title={isStored ? undefined : 'Confirm first that you have stored the secret'}
          onClick={() => isStored && onClose()}
        >
          Close
        </button>
      </div>
    </Modal>
  )
}

/** Shows when a secret expires, with a warning if the day is near. */
export function SecretBadge({ expires }: { expires: string | null }) {
  const { nowMs } = useSession()
  const { state, days, level } = secretExpiry(expires, nowMs())
  return (
    <span className="row">
      {expires && <Timestamp iso={expires} as="day" />}
      {state !== 'active' && (
        <span className={`badge ${level}`}>{state === 'soon' ? count(days, 'day') : STATE_TEXTS[state]}</span>
      )}
    </span>
  )
}

export function AccountStatus({ expires }: { expires: string | null }) {
  const { nowMs } = useSession()
  const { state, days, level } = secretExpiry(expires, nowMs())
  const text = state === 'soon' ? `Expires in ${count(days, 'day')}` : STATE_TEXTS[state]
  return <span className={`badge ${level}`}>{text}</span>
}

const STATE_TEXTS = { none: 'No secret', expired: 'Expired', active: 'Active' }
