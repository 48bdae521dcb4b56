import type { Device } from '#shared/answers/customers.ts'

/** Several devices may have the same name; the host ID tells them apart. */
export function DeviceIdentity({ device: { deviceName, hostId } }: { device: Device }) {
  return (
    <>
      <strong>{deviceName}</strong> · <span className="mono">{hostId}</span>
    </>
  )
}
