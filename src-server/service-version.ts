import type { Workspace } from './workspace.ts'

/** The release that clients are told. */
export const serviceVersion = '12.0'

/** Different at every start, so that clients notice that the service was restarted. */
export const serviceGeneration = Math.floor(Date.now() / 1000)

/** The version of the service, under the specification's names and under those that clients in the wild look for. */
export const versions = ({ featureLevel }: Workspace) => ({
  service_feature_level: featureLevel,
  service_version: serviceVersion,
  service_merge_base: serviceVersion,
  zulip_feature_level: featureLevel,
  zulip_version: serviceVersion,
  zulip_merge_base: serviceVersion,
})
