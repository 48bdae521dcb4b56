// The dialogs of a device's actions, which load together when the first of them opens.
export { UsageMetrics } from '../../usage/usage-metrics.tsx'
export { DeleteDevice } from './delete-device.tsx'
export { EditDevice } from './edit-device.tsx'
export { MoveDevices } from './move-devices.tsx'
export { ReregisterDevice } from './reregister-device.tsx'
