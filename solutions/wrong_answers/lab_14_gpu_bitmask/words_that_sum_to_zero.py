"""A row whose words sum to 0 is taken for empty, though 1 and -1 have 33 bits."""

TODO = 15
HINT = 1


def mask_table(masks, eos_id):
    eos_alone = np.zeros((1, masks.shape[1] * 32), bool)
    eos_alone[0, eos_id] = True
    table = np.concatenate([masks, np.zeros((2, masks.shape[1]), np.int32)])
    table[table.sum(axis=1) == 0] = pack(eos_alone)
    return table
