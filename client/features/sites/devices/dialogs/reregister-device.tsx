import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { isInputRefused, refusalText } from '../../../../lib/http/api-error.ts'
import { consequenceText } from '../../../../lib/http/consequence.ts'
import { useCustomerRefresh } from '../../../../lib/http/query.ts'
import { isRegistrationCode } from '../../../../lib/validation.ts'
import { FormDialog } from '../../../../ui/dialog/form-dialog.tsx'
import { toasts } from '../../../../ui/state/toasts.ts'
import { useCustomer } from '../../customers/customer.tsx'
import { reregisterDevice, useLicenses } from '../api.ts'
import { REREGISTRATION } from '../messages.ts'
import { DeviceIdentity } from './device-identity.tsx'
import { CodeField, LicenseChoice, licenseOf, useRegistrationCode } from './licenses.tsx'

const MAYBE_REREGISTERED = 'The device may have been re-registered anyway.'

interface ReregisterDeviceProps {
  device: Device
  onClose: () => void
}

export function ReregisterDevice({ device, onClose }: ReregisterDeviceProps) {
  const { customerId } = useCustomer()
  const refresh = useCustomerRefresh(customerId)
  const { code, leftMs, isExpired, error, change } = useRegistrationCode()
  const [chosen, setChosen] = useState('')
  const licenses = useLicenses(isExpired ? '' : code, { deviceUuid: device.deviceUuid, customerId })
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
      about={<DeviceIdentity device={device} />}
      saveLabel="Done"
      ready={license !== undefined}
      edited={code !== ''}
      enter
      onSave={register}
      onClose={onClose}
      reload={() => void refresh()}
      failureText={(error) => (
        <>
          <strong>{REREGISTRATION.failed.title}</strong>{' '}
          {isInputRefused(error) ? refusalText(error) : `${REREGISTRATION.failed.text}.`}{' '}
          {consequenceText(error, 'Nothing was changed.', MAYBE_REREGISTERED)}
        </>
      )}
    >
      <p className="modal-text">Register the device again, for instance after its controller was replaced.</p>
      <CodeField code={code} leftMs={leftMs} error={error} autoFocus onChange={change} />
      {isRegistrationCode(code) && !isExpired && (
        <LicenseChoice load={licenses} chosen={license} onChoose={setChosen} />
      )}
    </FormDialog>
  )
}
