"""The id of EOS is written as a word instead of being set as a bit."""

TODO = 15
HINT = 2


def mask_table(masks, eos_id):
    table = np.concatenate([masks, np.zeros((2, masks.shape[1]), np.int32)])
    table[(table == 0).all(axis=1), eos_id // 32] = eos_id
    return table
