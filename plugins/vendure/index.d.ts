/** Put it into `plugins` of your Vendure configuration. */
export declare const PerennialPlugin: new (...given: any[]) => object;
