import './style.css'
import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { REGISTRATION_VALID_MS } from '#shared/limits.ts'
import { REREGISTRATION } from '#shared/messages.ts'
import { isRegistrationCode, registrationCode } from '#shared/validation.ts'
import { isInputRefused, refusalText } from '../../../lib/http/api-error.ts'
import { useCustomerRefresh } from '../../../lib/http/query.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../../customers/customer.ts'
import { reregisterDevice, useLicenses } from '../api.ts'
import { CodeField, codeProblem, LicenseChoice, licenseOf } from './licenses.tsx'

const VALID_MINUTES = REGISTRATION_VALID_MS / 60_000

interface ReregisterDeviceProps {
  device: Device
  onClose: () => void
}

export function ReregisterDevice({ device, onClose }: ReregisterDeviceProps) {
  const { customerId } = useCustomer()
  const refresh = useCustomerRefresh(customerId)
  const [code, setCode] = useState('')
  const [chosen, setChosen] = useState('')
  const licenses = useLicenses(code, { deviceUuid: device.deviceUuid, customerId })
  const license = licenseOf(licenses.data, chosen)

  async function register() {
    if (!license) return
    const { licenseId } = license
    await reregisterDevice({ userCode: code, deviceUuid: device.deviceUuid, licenseId }, customerId)
    onClose()
    toasts.ok(REREGISTRATION.done)
    void refresh()
  }

  return (
    <FormDialog
      title="Re-registration"
      saveLabel="Done"
      ready={license !== undefined}
      edited={code !== ''}
      enter
      onSave={register}
      onClose={onClose}
      failureText={(error) => (
        <>
          <strong>{REREGISTRATION.failed.title}</strong>{' '}
          {isInputRefused(error) ? refusalText(error) : REREGISTRATION.failed.text}
        </>
      )}
    >
      <p className="modal-text">
        <span>
          Register <strong>{device.deviceName}</strong> again, for instance after its controller was replaced.
        </span>
      </p>
      <CodeField
        code={code}
        error={codeProblem(code)}
        note={` Valid for ${VALID_MINUTES} minutes.`}
        autoFocus
        onChange={(text) => setCode(registrationCode(text))}
      />
      {isRegistrationCode(code) && <LicenseChoice load={licenses} chosen={license} onChoose={setChosen} />}
    </FormDialog>
  )
}
