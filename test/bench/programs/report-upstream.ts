// Saved reports, points and histories of a device whose points rarely change: an API answers one record of each point.
import { createServer, type IncomingMessage } from 'node:http'
import { answer } from './answer.ts'

interface Prepared {
  customerId: string
  deviceUuid: string
  systemGuid: string
  /** The time of the only record of each point. */
  recordedAt: string
}

let prepared: Prepared = { customerId: '', deviceUuid: '', systemGuid: '', recordedAt: '' }

answer({
  prepareReports(input: Prepared): void {
    prepared = input
  }
})

/** `report-45` has 45 points. */
function report(path: string) {
  const [, count = '0'] = /\/report\/report-(\d+)$/.exec(path) ?? []
  const { customerId, deviceUuid } = prepared
  const selectedPoints = Array.from({ length: Number(count) }, (_, at) => ({
    device: deviceUuid,
    point: `p-${at}`
  }))
  return {
    reportId: `report-${count}`,
    reportName: 'Set points',
    customerId,
    reportDetails: { selectedDateFilter: 'Month-To-Date', selectedPoints }
  }
}

function points({ searchItems }: { searchItems: string[] }) {
  const pointModels = searchItems.map((cloudId) => ({
    cloudId,
    displayName: `Set point ${cloudId}`,
    systemGuid: prepared.systemGuid,
    tags: { dataType: 'Numeric', units: '°C', telemetryId: cloudId, historyName: `/site/${cloudId}` }
  }))
  const page = { number: 0, size: 1000, totalPages: 1, totalElements: pointModels.length }
  return { _embedded: { pointModels }, page }
}

function histories({
  pointIds,
  startTime,
  endTime
}: {
  pointIds: string[]
  startTime: string
  endTime: string
}) {
  const { recordedAt, systemGuid } = prepared
  const isWithin = startTime <= recordedAt && recordedAt < endTime
  const historyRecords = isWithin ? [{ timestamp: recordedAt, value: 21.5 }] : []
  return { systemGuid, pointDetails: pointIds.map((pointId) => ({ pointId, historyRecords })) }
}

async function bodyFor(request: IncomingMessage): Promise<unknown> {
  const { url = '', method } = request
  if (method === 'GET') return report(url.split('?', 1)[0] ?? '')
  let text = ''
  for await (const chunk of request) text += chunk
  const query = JSON.parse(text)
  return url.startsWith('/api/v1/entitymodel/') ? points(query) : histories(query)
}

const server = createServer(async (request, response) => {
  const bytes = Buffer.from(JSON.stringify(await bodyFor(request)))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
})
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
