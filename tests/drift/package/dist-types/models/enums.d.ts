/**
 * @public
 * @enum
 */
export declare const ControllerType: {
    readonly CODE_DEPLOY: "CODE_DEPLOY";
    /**
     * The default: "ECS"
     */
    readonly ECS: "ECS";
    readonly EXTERNAL: "EXTERNAL";
};
export type ControllerType = (typeof ControllerType)[keyof typeof ControllerType];
export declare const NetworkMode: {
    readonly AWSVPC: "awsvpc";
    readonly BRIDGE: "bridge";
    readonly HOST: "host";
};
export declare const Maker: {
    readonly AMD: "amd";
    readonly INTEL: "intel";
    readonly NEWER: "newer";
};
