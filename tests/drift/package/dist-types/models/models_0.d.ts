import type { ControllerType, NetworkMode } from "./enums";
/**
 * <p>A container.</p>
 * @public
 */
export interface ContainerDefinition {
    /**
     * <p>Not a member: old?: string;</p>
     * @public
     */
    name?: string | undefined;
    image?: string | undefined;
    cpu?: number | undefined;
    essential?: boolean | undefined;
    dockerLabels?: Record<string, string> | undefined;
    weight?: number | undefined;
    sharing?: Sharing | undefined;
}
export interface RegisterTaskDefinitionRequest {
    family: string | undefined;
    containerDefinitions: ContainerDefinition[] | undefined;
    networkMode?: NetworkMode | undefined;
}
export interface DeploymentController {
    type: ControllerType | undefined;
}
export interface CreateServiceRequest {
    serviceName?: string | undefined;
    deploymentController?: DeploymentController | undefined;
    percent?: number | undefined;
    hook?: __DocumentType | undefined;
}
export interface UpdateServiceRequest {
    service: string | undefined;
    deploymentController?: DeploymentController | undefined;
}
export interface RunTaskRequest {
    taskDefinition: string | undefined;
    count?: number[] | undefined;
}
/**
 * @public
 */
export type StartTaskRequest = StartTaskRequest.TaskDefinitionMember | StartTaskRequest.LaterMember | StartTaskRequest.$UnknownMember;
export declare namespace StartTaskRequest {
    interface TaskDefinitionMember {
        taskDefinition: string;
        later?: never;
        $unknown?: never;
    }
    interface LaterMember {
        taskDefinition?: never;
        later: Record<string, string>;
        $unknown?: never;
    }
    interface $UnknownMember {
        taskDefinition?: never;
        later?: never;
        $unknown: [string, any];
    }
}
export interface CreateCapacityProviderRequest {
    name?: string | undefined;
    makers?: Maker[] | undefined;
}
export interface StopTaskRequest {
    task: string | undefined;
}
export interface UpdateCapacityProviderRequest {
    name: string | undefined;
}
